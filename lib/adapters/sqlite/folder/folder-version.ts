/**
 * Which version of Hearth a data folder belongs to. The schemas decide; the file VERSION is for
 * people.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { FAKE_PROVIDER_FILE } from "../fake-provider.ts";
import {
  inDatabase,
  isCompact,
  roomForVacuum,
  schemaVersionOf,
  whyRefusedVersion,
} from "../migrate.ts";
import { DATABASE_FILE } from "../open-sqlite.ts";
import { FAKE_PROVIDER_SCHEMA, SCHEMA } from "../schema.ts";
import { FolderRefused, unusable, writeWhole } from "./private-files.ts";

export const VERSION_FILE = "VERSION";

const SCHEMAS = { [DATABASE_FILE]: SCHEMA, [FAKE_PROVIDER_FILE]: FAKE_PROVIDER_SCHEMA };

interface Writer {
  readonly version: string;
  readonly commit: string | null;
}

const nameOf = ({ version, commit }: Writer): string =>
  `Hearth ${version}${commit === null ? "" : ` (commit ${commit})`}`;

export const lastWriter = (folder: string): string | null => {
  const path = join(folder, VERSION_FILE);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const version = /^Hearth ([0-9A-Za-z.+-]{1,64})$/m.exec(text)?.[1];
  if (version === undefined) return null;
  return nameOf({ version, commit: /^Commit ([0-9a-f]{7,40})$/m.exec(text)?.[1] ?? null });
};

/**
 * Checks all databases before one of them is opened for writing, so that a refused folder stays
 * unchanged.
 * @throws FolderRefused
 */
export const refuseOtherFolder = (folder: string): void => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const path = join(folder, name);
    const why = whyRefusedVersion(schemaVersionOf(path), schema, path);
    if (why === null) continue;
    const writer = lastWriter(folder);
    const last = writer === null ? "" : ` The last that used the folder was ${writer}.`;
    throw new FolderRefused(`${why}${last}`);
  }
};

export interface FolderSchema {
  readonly file: string;
  readonly found: number;
  readonly known: number;
}

export const folderSchemas = (folder: string): readonly FolderSchema[] =>
  Object.entries(SCHEMAS).map(([file, { version }]) => ({
    file,
    found: schemaVersionOf(join(folder, file)),
    known: version,
  }));

/**
 * Refuses commands on an older folder, because only a host may upgrade it.
 * @throws FolderRefused
 */
export const refuseOlderFolder = (folder: string): void => {
  refuseOtherFolder(folder);
  const older = folderSchemas(folder).find(({ found, known }) => found !== 0 && found < known);
  if (older === undefined) return;
  throw new FolderRefused(
    `${join(folder, older.file)} is of a former version of Hearth (schema ${older.found}; this one has ${older.known}). Nothing was changed. Start the host of this version on it first, or use the former version's command.`,
  );
};

export const nameWriter = (folder: string, { version, commit }: Writer): void => {
  const schemas = Object.entries(SCHEMAS).map(([name, schema]) => `${name} ${schema.version}`);
  // Older versions expect the first line in this form.
  const lines = [`Hearth ${version}`, ...(commit === null ? [] : [`Commit ${commit}`])];
  const text = `${lines.join("\n")}\nThe last version that used this folder. Schemas: ${schemas.join(", ")}.\n`;
  const path = join(folder, VERSION_FILE);
  try {
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeWhole(path, text);
  } catch (error) {
    throw unusable(path, error);
  }
};

export interface CheckedFile extends FolderSchema {
  readonly neededBytes: number;
  readonly damage: string | null;
}

interface CheckedFolder {
  readonly folder: string;
  readonly lastUsedBy: string | null;
  readonly files: readonly CheckedFile[];
}

const QuickCheck = z.object({ quick_check: z.string() });
const WELL = "ok";

const checked = (folder: string, schema: FolderSchema): CheckedFile => {
  const path = join(folder, schema.file);
  return inDatabase(path, { readOnly: true }, (database) => {
    const row = database.prepare("PRAGMA quick_check(1)").get();
    const { quick_check: found } = QuickCheck.parse(row);
    const neededBytes = isCompact(database) ? 0 : roomForVacuum(statSync(path).size);
    return { ...schema, neededBytes, damage: found === WELL ? null : found };
  });
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
