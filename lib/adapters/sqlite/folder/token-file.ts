/**
 * Opens a data folder only for its API tokens. A host may use the folder at the same time, because
 * SQLite orders their writes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SteadyClock } from "../../node/steady-clock.ts";
import { type SqliteTokens, sqliteTokens } from "../api-tokens.ts";
import { type Database, openDatabase } from "../database.ts";
import { schemaVersionOf } from "../migrate.ts";
import { DATABASE_FILE, openSqlite } from "../open-sqlite.ts";
import { SCHEMA } from "../schema.ts";
import { takeFolder } from "./data-folder.ts";

export const hasDatabase = (folder: string): boolean => existsSync(join(folder, DATABASE_FILE));

/**
 * A running host of another version would not survive a change of its tables, so this needs the
 * lock.
 */
const openAlone = (folder: string): Database => {
  // `takeFolder` also refuses a folder whose database was lost, which must not be replaced by an
  // empty one.
  const lock = takeFolder(folder);
  try {
    return openDatabase(folder, DATABASE_FILE, SCHEMA);
  } finally {
    lock.release();
  }
};

export const inTokensOf = <T>(folder: string, work: (tokens: SqliteTokens) => T): T => {
  const isCurrent = schemaVersionOf(join(folder, DATABASE_FILE)) === SCHEMA.version;
  const database = isCurrent ? openDatabase(folder, DATABASE_FILE, SCHEMA) : openAlone(folder);
  try {
    return work(sqliteTokens(database));
  } finally {
    database.close();
  }
};

/** Creates nothing in the folder. The caller must hold its lock. */
export const holdsLiveToken = (folder: string, clock: SteadyClock): boolean => {
  if (!hasDatabase(folder)) return false;
  const database = openSqlite(folder, clock);
  try {
    clock.notBefore(database.latestTime() ?? 0);
    return database.tokens.hasLive(clock.now());
  } finally {
    database.close();
  }
};
