/**
 * Which version of Hearth a data folder belongs to. The schemas decide; the file VERSION is for
 * people.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FAKE_PROVIDER_FILE } from "./fake-provider.ts";
import { schemaVersionOf, whyRefusedVersion } from "./migrate.ts";
import { DATABASE_FILE } from "./open-sqlite.ts";
import { FolderRefused, unusable, writeWhole } from "./private-files.ts";
import { FAKE_PROVIDER_SCHEMA, SCHEMA } from "./schema.ts";

export const VERSION_FILE = "VERSION";

const SCHEMAS = { [DATABASE_FILE]: SCHEMA, [FAKE_PROVIDER_FILE]: FAKE_PROVIDER_SCHEMA };

export interface Writer {
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
