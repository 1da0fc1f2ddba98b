/**
 * The commit of this version, for people: several commits have the same version number. A build
 * writes it into the bundle. In a clone it is read from .git.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

declare const HEARTH_COMMIT: string | undefined;

const COMMIT = /^[0-9a-f]{40}$/;
const SHOWN_CHARS = 12;

const textIn = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
};

const commitOfRef = (git: string, ref: string): string | null =>
  textIn(join(git, ref)) ??
  textIn(join(git, "packed-refs"))
    ?.split("\n")
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(" ")[0] ??
  null;

export const commitOfClone = (root: string): string | null => {
  const git = join(root, ".git");
  const head = textIn(join(git, "HEAD"));
  const ref = /^ref: (refs\/\S+)$/.exec(head ?? "")?.[1];
  const commit = ref === undefined ? head : commitOfRef(git, ref);
  return commit !== null && COMMIT.test(commit) ? commit.slice(0, SHOWN_CHARS) : null;
};

export const ownCommit = (): string | null => {
  if (typeof HEARTH_COMMIT === "string") return HEARTH_COMMIT === "" ? null : HEARTH_COMMIT;
  return commitOfClone(join(import.meta.dirname, "../.."));
};
