/** The files of this repository as git sees them: tracked ones and new ones, but nothing that is ignored. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./import-rules.ts";

export interface TextFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const LISTING_BYTES_MAX = 16 * 1024 * 1024;
const TEXT = /\.(ts|cjs|md|ya?ml|json|html|css|sh)$|^\.ci\//;

/** What npm writes, and nobody reads. */
const GENERATED = new Set(["package-lock.json"]);

/** A file that git still lists but that has been deleted is left out. */
export const repositoryFiles = (): readonly TextFile[] =>
  execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: LISTING_BYTES_MAX,
  })
    .split("\0")
    .filter((path) => TEXT.test(path) && !GENERATED.has(path) && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
