/** Gives a database file the tables of this version of Hearth, whatever version wrote it. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { unusable } from "./private-files.ts";

export interface Schema {
  readonly version: number;
  /** The statements that make the tables in an empty file. */
  readonly tables: string;
  /** From a former version: the statements that make its file one of the next version. */
  readonly upgrades: { readonly [version: number]: string };
}

/** SQLite's number for `auto_vacuum = INCREMENTAL`. */
const INCREMENTAL = 2;

const pragma = (database: DatabaseSync, name: string): unknown =>
  database.prepare(`PRAGMA ${name}`).get()?.[name];

/** SQLITE_READONLY_ROLLBACK: a reader may not undo what a dead process has begun. */
const UNFINISHED = 776;

/**
 * The version of the file's schema. 0: it has none. Changes nothing in the file, but for what a
 * process has begun that died or lost its power in the file's first moments: SQLite undoes that.
 * Throws FolderRefused if the file cannot be read.
 */
export const schemaVersionOf = (path: string): number => {
  if (!existsSync(path)) return 0;
  try {
    return versionIn(path, true) ?? versionIn(path, false) ?? 0;
  } catch (error) {
    throw unusable(path, error);
  }
};

/** Null: only a writer can tell, because the file has something unfinished. */
const versionIn = (path: string, readOnly: boolean): number | null => {
  const database = new DatabaseSync(path, { readOnly });
  try {
    return Number(pragma(database, "user_version"));
  } catch (error) {
    if (readOnly && error instanceof Error && "errcode" in error && error.errcode === UNFINISHED)
      return null;
    throw error;
  } finally {
    database.close();
  }
};

/** Why this version cannot use a file of that schema. Null: it can, or it can upgrade it. */
export const whyRefusedVersion = (found: number, schema: Schema, path: string): string | null => {
  const { version } = schema;
  if (found > version)
    return `${path} was written by a newer version of Hearth (schema ${found}; this one knows ${version}). Nothing was changed. Start that version or a newer one.`;
  for (let step = found; step !== 0 && step < version; step += 1) {
    if (schema.upgrades[step] === undefined)
      return `${path} was written by another version of Hearth (schema ${found}), which this one cannot upgrade to schema ${version}. Nothing was changed. Start a version between them first.`;
  }
  return null;
};

/**
 * All steps are one transaction, so a kill leaves the file of the former version or of this one.
 * The caller has refused files without a way here.
 */
export const migrate = (database: DatabaseSync, schema: Schema): void => {
  const found = Number(pragma(database, "user_version"));
  if (found !== schema.version) database.exec(transactionFrom(found, schema));
  // A file from before could not shrink. Only a full VACUUM changes that.
  if (found !== 0 && pragma(database, "auto_vacuum") !== INCREMENTAL) database.exec("VACUUM");
};

const transactionFrom = (found: number, schema: Schema): string => {
  const steps = Array.from({ length: schema.version - found }, (_, step) => found + step);
  const statements =
    found === 0 ? schema.tables : steps.map((version) => schema.upgrades[version]).join("\n");
  return `BEGIN IMMEDIATE;\n${statements}\nPRAGMA user_version = ${schema.version};\nCOMMIT;`;
};
