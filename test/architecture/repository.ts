/** The files of this repository as git sees them: tracked and new files, but no ignored ones. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./import-rules.ts";

export interface TextFile {
  /** The path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const LISTING_BYTES_MAX = 16 * 1024 * 1024;
const TEXT = /\.(ts|cjs|md|ya?ml|json|html|css|sh)$|^\.ci\//;

/** Written by npm, read by nobody. */
const GENERATED = new Set(["package-lock.json"]);

/** Skips files that git still lists but that are deleted. */
export const repositoryFiles = (): readonly TextFile[] =>
  execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: LISTING_BYTES_MAX,
  })
    .split("\0")
    .filter((path) => TEXT.test(path) && !GENERATED.has(path) && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
