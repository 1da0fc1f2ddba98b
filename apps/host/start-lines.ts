import { logger } from "#functions/logger.ts";
import {
  type FolderSchema,
  folderSchemas,
  lastWriter,
  nameWriter,
} from "#lib/adapters/sqlite/folder/folder-version.ts";
import manifest from "../../package.json" with { type: "json" };
import { ownCommit } from "./own-commit.ts";

export interface StartLines {
  /** Call it when the databases are open and upgraded. Records this version in the folder. */
  opened(): void;
}

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
