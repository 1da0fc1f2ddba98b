import { readFileSync } from "node:fs";
import { join } from "node:path";
import { logger } from "#functions/logger.ts";
import {
  type FolderSchema,
  folderSchemas,
  lastWriter,
  nameWriter,
} from "#lib/adapters/sqlite/folder/folder-version.ts";
import manifest from "../../package.json" with { type: "json" };

interface StartLines {
  /** Call it when the databases are open and upgraded. Records this version in the folder. */
  opened(): void;
}

/** Which version this is, and which one has used the data folder before: the log's first lines. */
export const lookAtStart = (folder: string | null): StartLines => {
  const writer = { version: manifest.version, commit: ownCommit() };
  const schemas: readonly FolderSchema[] = folder === null ? [] : folderSchemas(folder);
  const lastUsedBy = folder === null ? null : lastWriter(folder);
  return {
    opened: () => {
      const known = schemas.map((one) => [`schema of ${one.file}`, one.known]);
      logger.info("Hearth starts", { ...writer, folder, lastUsedBy, ...Object.fromEntries(known) });
      for (const { file, found: from, known: to } of schemas)
        if (from !== 0 && from !== to) logger.info("a database was upgraded", { file, from, to });
      if (folder !== null) nameWriter(folder, writer);
    },
  };
};

/**
 * The commit of this version, for people: several commits have the same version number. A build
 * writes it into the bundle. In a clone it is read from .git.
 */
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
