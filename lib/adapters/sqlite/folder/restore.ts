/** Restores a backup into a data folder. Nothing is in place before everything was checked. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { sqliteTokens } from "../api-tokens.ts";
import { openDatabase } from "../database.ts";
import { FAKE_PROVIDER_FILE } from "../fake-provider.ts";
import {
  inDatabase,
  migrate,
  type Schema,
  schemaVersionOf,
  whyRefusedVersion,
} from "../migrate.ts";
import { DATABASE_FILE } from "../open-sqlite.ts";
import { FAKE_PROVIDER_SCHEMA, SCHEMA } from "../schema.ts";
import { BACKUP_APPLICATION_ID, BackupRefused, dropDigest, hasItsDigest } from "./backup.ts";
import { LOCK_FILE, lockFolder } from "./folder-lock.ts";
import { beginLife, KEYS_FILE, loadOrCreateKeys, readKeys } from "./keys.ts";
import { FILE_MODE, FOLDER_MODE, flush } from "./private-files.ts";

const STAGE = "restoring";
/** The database comes last, because a host refuses a folder that has keys and no database. */
const ORDER = [KEYS_FILE, FAKE_PROVIDER_FILE, DATABASE_FILE] as const;

export interface Restored {
  readonly version: string;
  readonly takenAt: number;
}

/** What is valid again after a restore, although its owner may have ended it after the backup. */
export interface Revived {
  readonly tokens: number;
  readonly signingKeys: number;
}

const aboutRow = z.object({ hearth: z.string(), taken_at: z.number() });
const partRow = z.object({ body: z.instanceof(Uint8Array) });
const idRow = z.object({ application_id: z.number() });
const checkRow = z.object({ integrity_check: z.string() });

export const restoreFolder = (file: string, folder: string, now: number): Restored & Revived => {
  const restored = verifyBackup(file);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new BackupRefused(`${folder} is not empty. Restore into a new folder.`);
  const lock = lockFolder(folder);
  const stage = join(folder, STAGE);
  try {
    mkdirSync(stage, { mode: FOLDER_MODE });
    unpack(file, stage);
    checkStage(stage, file);
    beginLife(stage, now);
    const revived = revivedIn(stage, now);
    for (const name of ORDER) {
      flush(join(stage, name));
      renameSync(join(stage, name), join(folder, name));
    }
    flush(folder);
    return { ...restored, ...revived };
  } catch (error) {
    // The folder was empty, so these files are ours.
    for (const name of [...ORDER, LOCK_FILE]) rmSync(join(folder, name), { force: true });
    throw error;
  } finally {
    rmSync(stage, { recursive: true, force: true });
    lock.release();
  }
};

const revivedIn = (stage: string, now: number): Revived => {
  const database = openDatabase(stage, DATABASE_FILE, SCHEMA);
  try {
    const tokens = sqliteTokens(database).listLive(now).length;
    return { tokens, signingKeys: readKeys(stage)?.signing.length ?? 0 };
  } finally {
    database.close();
  }
};

const refuseOtherVersion = (path: string, schema: Schema, file: string): void => {
  const why = whyRefusedVersion(schemaVersionOf(path), schema, file);
  if (why !== null) throw new BackupRefused(why);
};

export const verifyBackup = (file: string): Restored => {
  const found = readBackup(file);
  refuseOtherVersion(file, SCHEMA, file);
  return found;
};

const readBackup = (file: string): Restored => {
  if (!existsSync(file)) throw new BackupRefused(`${file} does not exist.`);
  if (statSync(file).isDirectory())
    throw new BackupRefused(`${file} is a folder. Name a backup in it.`);
  return reading(file, file, (database) => {
    const { application_id: id } = idRow.parse(database.prepare("PRAGMA application_id").get());
    if (id !== BACKUP_APPLICATION_ID) throw new BackupRefused(`${file} is not a backup of Hearth.`);
    if (!hasItsDigest(file))
      throw new BackupRefused(`${file} is damaged: its content does not match its digest.`);
    checkIntegrity(database, file);
    const about = aboutRow.parse(database.prepare("SELECT * FROM backup").get());
    return { version: about.hearth, takenAt: about.taken_at };
  });
};

const notOurs = (file: string, cause: unknown): BackupRefused => {
  const why = String(cause).replaceAll(/\s+/g, " ");
  return new BackupRefused(`${file} is damaged, or not a backup of Hearth: ${why}`, { cause });
};

const reading = <T>(path: string, file: string, read: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return read(database);
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw notOurs(file, error);
  } finally {
    database.close();
  }
};

const checkIntegrity = (database: DatabaseSync, file: string): void => {
  const { integrity_check: found } = checkRow.parse(
    database.prepare("PRAGMA integrity_check(1)").get(),
  );
  if (found !== "ok")
    throw new BackupRefused(`${file} is damaged: ${found.replaceAll(/\s+/g, " ")}`);
};

/** The files as the backup contains them. Only their known rows get into the folder. */
const GIVEN = { [DATABASE_FILE]: "given.db", [FAKE_PROVIDER_FILE]: "given-objects.db" } as const;

const unpack = (file: string, stage: string): void => {
  const copy = join(stage, GIVEN[DATABASE_FILE]);
  copyFileSync(file, copy);
  chmodSync(copy, FILE_MODE);
  dropDigest(copy);
  inDatabase(copy, { readOnly: true }, (database) => {
    const parts = database.prepare("SELECT body FROM backup_files WHERE name = ? ORDER BY part");
    for (const name of [KEYS_FILE, FAKE_PROVIDER_FILE] as const) {
      const path = join(stage, name === KEYS_FILE ? name : GIVEN[name]);
      writeFileSync(path, "", { mode: FILE_MODE });
      for (const part of parts.iterate(name))
        writeFileSync(path, partRow.parse(part).body, { flag: "a" });
    }
  });
};

const checkStage = (stage: string, file: string): void => {
  const provider = join(stage, GIVEN[FAKE_PROVIDER_FILE]);
  reading(provider, file, (database) => checkIntegrity(database, file));
  refuseOtherVersion(provider, FAKE_PROVIDER_SCHEMA, file);
  for (const [name, schema] of [
    [DATABASE_FILE, SCHEMA],
    [FAKE_PROVIDER_FILE, FAKE_PROVIDER_SCHEMA],
  ] as const) {
    try {
      copyKnownRows(join(stage, GIVEN[name]), join(stage, name), schema);
    } catch (error) {
      throw notOurs(file, error);
    }
  }
  try {
    loadOrCreateKeys(stage, true);
  } catch (error) {
    throw new BackupRefused(`${file} is damaged: it does not have the keys of Hearth.`, {
      cause: error,
    });
  }
};

const nameRows = z.array(z.object({ name: z.string() }));
const objectRows = z.array(z.object({ type: z.enum(["trigger", "view"]), name: z.string() }));
const tableRow = z.object({ type: z.literal("table") });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const namesIn = (database: DatabaseSync, query: string): readonly string[] =>
  nameRows.parse(database.prepare(query).all()).map(({ name }) => name);

/** The file's own triggers and views are removed first, so that none of them runs. */
const upgrade = (path: string, schema: Schema): void =>
  inDatabase(path, {}, (database) => {
    database.exec("PRAGMA trusted_schema = OFF");
    const foreign = objectRows.parse(
      database
        .prepare("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')")
        .all(),
    );
    for (const { type, name } of foreign) database.exec(`DROP ${type} ${quoted(name)}`);
    migrate(database, schema);
  });

const OUR_TABLES = `SELECT name FROM main.sqlite_master WHERE type = 'table'
  AND (name NOT LIKE 'sqlite_%' OR name = 'sqlite_sequence')`;

const copyTable = (database: DatabaseSync, table: string): void => {
  const given = `SELECT type FROM pragma_table_list WHERE schema = 'given' AND name = ?`;
  if (!tableRow.safeParse(database.prepare(given).get(table)).success)
    throw new Error(`${table} is not a table`);
  const columns = namesIn(database, `SELECT name FROM pragma_table_info('${table}', 'main')`);
  const list = columns.map(quoted).join(", ");
  database.exec(`DELETE FROM main.${table};
    INSERT INTO main.${table} (${list}) SELECT ${list} FROM given.${table}`);
};

/**
 * Copies the rows of a database file into a new one. Somebody may have put triggers, views or
 * tables into a backup, which would run in the host as long as the folder exists. So only rows of
 * our tables are copied, column by column, into a file that we have created.
 */
const copyKnownRows = (from: string, to: string, schema: Schema): void => {
  writeFileSync(to, "", { mode: FILE_MODE, flag: "wx" });
  if (statSync(from).size === 0) return;
  upgrade(from, schema);
  inDatabase(to, {}, (database) => {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA auto_vacuum = INCREMENTAL");
    migrate(database, schema);
    database.prepare("ATTACH ? AS given").run(from);
    database.exec("BEGIN");
    // Copying rows uses numbers, so the table of numbers comes last.
    const tables = namesIn(database, OUR_TABLES).toSorted(
      (left, right) => Number(left === "sqlite_sequence") - Number(right === "sqlite_sequence"),
    );
    for (const table of tables) copyTable(database, table);
    database.exec("COMMIT");
  });
};
