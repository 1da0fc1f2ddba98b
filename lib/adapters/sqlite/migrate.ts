/** Gives a database file the tables of this version of Hearth, whatever version wrote it. */
import type { DatabaseSync } from "node:sqlite";
import { FolderRefused } from "./private-files.ts";

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

/**
 * Each step is one transaction with its version number, so a kill leaves the file of some version.
 * Throws if there is no way from the file's version to this one.
 */
export const migrate = (database: DatabaseSync, schema: Schema, path: string): void => {
  const found = Number(pragma(database, "user_version"));
  if (found === schema.version) return;
  if (found === 0) {
    applyStep(database, schema.tables, schema.version);
    return;
  }
  for (let version = found; version !== schema.version; version += 1) {
    const upgrade = schema.upgrades[version];
    if (upgrade === undefined) {
      throw new FolderRefused(
        `${path} was written by another version of Hearth (schema ${found}). Use that version.`,
      );
    }
    applyStep(database, upgrade, version + 1);
  }
  // A file from before could not shrink. Only a full VACUUM changes that.
  if (pragma(database, "auto_vacuum") !== INCREMENTAL) database.exec("VACUUM");
};

const applyStep = (database: DatabaseSync, statements: string, version: number): void =>
  database.exec(`BEGIN IMMEDIATE;\n${statements}\nPRAGMA user_version = ${version};\nCOMMIT;`);
