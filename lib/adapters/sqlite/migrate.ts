import { existsSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { unusable } from "./folder/private-files.ts";
import { passingFault } from "./storage-faults.ts";

export interface Schema {
  readonly version: number;
  readonly tables: string;
  readonly upgrades: { readonly [version: number]: string };
}

/** Opens a database for one piece of work, and closes it whatever happens. */
export const inDatabase = <T>(
  path: string,
  options: DatabaseSyncOptions,
  work: (database: DatabaseSync) => T,
): T => {
  const database = new DatabaseSync(path, options);
  try {
    return work(database);
  } finally {
    database.close();
  }
};

const INCREMENTAL = 2;

const pragma = (database: DatabaseSync, name: string): unknown =>
  database.prepare(`PRAGMA ${name}`).get()?.[name];

/** SQLITE_READONLY_ROLLBACK: a reader may not undo what a dead process has begun. */
const UNFINISHED = 776;

/**
 * Returns 0 if the file has no schema, and changes nothing in the file. There is one exception: if
 * a process died or lost its power in the file's first moments, SQLite undoes what it had begun.
 * @throws FolderRefused when the file cannot be read
 */
export const schemaVersionOf = (path: string): number => {
  if (!existsSync(path)) return 0;
  try {
    return versionIn(path, true) ?? versionIn(path, false) ?? 0;
  } catch (error) {
    throw unusable(path, error);
  }
};

const versionIn = (path: string, readOnly: boolean): number | null => {
  try {
    return inDatabase(path, { readOnly }, (file) => Number(pragma(file, "user_version")));
  } catch (error) {
    if (readOnly && error instanceof Error && "errcode" in error && error.errcode === UNFINISHED)
      return null;
    throw error;
  }
};

export const whyRefusedVersion = (found: number, schema: Schema, path: string): string | null => {
  const { version } = schema;
  if (found > version)
    return `${path} was written by a newer version of Hearth (schema ${found}; this one knows ${version}). Nothing was changed. Start that version or a newer one.`;
  for (let step = found; step !== 0 && step < version; step += 1) {
    if (schema.upgrades[step] === undefined)
      return `${path} was written before the first release of Hearth (schema ${found}), and no version upgrades it. Nothing was changed. Go on with the program that wrote it, or begin with an empty folder.`;
  }
  return null;
};

/**
 * All steps are one transaction, so a kill leaves a file of the former version or of this one. The
 * caller must have refused files that cannot be upgraded.
 */
export const migrate = (
  database: DatabaseSync,
  schema: Schema,
  freeBytes = Number.POSITIVE_INFINITY,
): void => {
  const found = Number(pragma(database, "user_version"));
  if (found !== schema.version) database.exec(transactionFrom(found, schema));
  if (found !== 0 && !isCompact(database)) makeCompact(database, freeBytes);
};

/**
 * Whether the file can return space. A file of version 0.1.0 cannot, and only VACUUM changes that.
 */
export const isCompact = (database: DatabaseSync): boolean =>
  pragma(database, "auto_vacuum") === INCREMENTAL;

export const roomForVacuum = (fileBytes: number): number => Math.ceil(fileBytes * 1.25) + LOG_BYTES;
const LOG_BYTES = 1_048_576;

/**
 * The file works without this step, and a full disk would keep the host from starting. So if there
 * is not enough space, a later start tries again. A failed try leaves a long log, which the
 * checkpoint shortens.
 */
const makeCompact = (database: DatabaseSync, freeBytes: number): void => {
  const bytes = Number(pragma(database, "page_count")) * Number(pragma(database, "page_size"));
  if (roomForVacuum(bytes) > freeBytes) return;
  try {
    database.exec("VACUUM");
  } catch (error) {
    if (passingFault(error) === null) throw error;
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
};

const transactionFrom = (found: number, schema: Schema): string => {
  const steps = Array.from({ length: schema.version - found }, (_, step) => found + step);
  const statements =
    found === 0 ? schema.tables : steps.map((version) => schema.upgrades[version]).join("\n");
  return `BEGIN IMMEDIATE;\n${statements}\nPRAGMA user_version = ${schema.version};\nCOMMIT;`;
};
