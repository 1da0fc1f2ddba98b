/** The files of this repository: tracked ones and new ones, but nothing that git ignores. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./import-rules.ts";

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const TEXT = /\.(tsx?|c?js|md|ya?ml|json|html|css|sh)$|^\.ci\//;

const GENERATED = new Set(["package-lock.json", "docs/package-lock.json"]);

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: OUTPUT_BYTES_MAX });

/** False in a copy without history, such as an unpacked archive. */
export const hasHistory = existsSync(join(ROOT, ".git"));

/** The folders and endings of .gitignore, for a copy that git does not know. */
const ignored = (): readonly string[] =>
  readFileSync(join(ROOT, ".gitignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => [`**/${line.replace(/\/$/, "")}`, `**/${line.replace(/\/$/, "")}/**`]);

const paths = (): readonly string[] =>
  hasHistory
    ? git("ls-files", "-z", "-co", "--exclude-standard").split("\0")
    : globSync("{*,.ci/*,.*.cjs,*/**/*}", { cwd: ROOT, exclude: [...ignored()] });

/** A file that git still lists but that has been deleted is left out. */
export const repositoryPaths = (): readonly string[] =>
  paths().filter((path) => path !== "" && existsSync(join(ROOT, path)));

export const repositoryFiles = (): readonly TextFile[] =>
  repositoryPaths()
    .filter((path) => TEXT.test(path) && !GENERATED.has(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

export const commitSubjects = (base: string): readonly string[] | null => {
  if (!hasHistory) return null;
  try {
    git("cat-file", "-e", base);
  } catch {
    return null;
  }
  return git("log", "--format=%s", `${base}..HEAD`)
    .split("\n")
    .filter((subject) => subject !== "");
};
