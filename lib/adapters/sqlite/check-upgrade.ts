import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import {
  type FolderSchema,
  folderSchemas,
  lastWriter,
  refuseOtherFolder,
} from "./folder-version.ts";
import { isCompact, roomForVacuum } from "./migrate.ts";
import { FolderRefused } from "./private-files.ts";

export interface CheckedFile extends FolderSchema {
  readonly neededBytes: number;
  readonly damage: string | null;
}

export interface CheckedFolder {
  readonly folder: string;
  readonly lastUsedBy: string | null;
  readonly files: readonly CheckedFile[];
}

const QuickCheck = z.object({ quick_check: z.string() });
const WELL = "ok";

const checked = (folder: string, schema: FolderSchema): CheckedFile => {
  const path = join(folder, schema.file);
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("PRAGMA quick_check(1)").get();
    const { quick_check: found } = QuickCheck.parse(row);
    const neededBytes = isCompact(database) ? 0 : roomForVacuum(statSync(path).size);
    return { ...schema, neededBytes, damage: found === WELL ? null : found };
  } finally {
    database.close();
  }
};

export const checkUpgrade = (folder: string): CheckedFolder => {
  const files = folderSchemas(folder).filter(({ found }) => found !== 0);
  if (!existsSync(folder) || files.length === 0)
    throw new FolderRefused(`There is no data of Hearth in ${folder}.`);
  refuseOtherFolder(folder);
  return {
    folder,
    lastUsedBy: lastWriter(folder),
    files: files.map((schema) => checked(folder, schema)),
  };
};
