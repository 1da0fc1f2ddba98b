/**
 * Copies a data folder into one file while a host works in it. The file is the copy of hearth.db,
 * in which one more table holds the other files. A digest stands behind its end. VACUUM INTO reads
 * the state of one moment and blocks no writer. The provider's file is copied after it: a provider
 * that is ahead of the engine is what the engine is made for.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FAKE_PROVIDER_FILE } from "./fake-provider.ts";
import { appendDigest } from "./file-digest.ts";
import { refuseOtherFolder } from "./folder-version.ts";
import { KEYS_FILE, loadOrCreateKeys } from "./keys.ts";
import { schemaVersionOf } from "./migrate.ts";
import { DATABASE_FILE } from "./open-sqlite.ts";
import { RECORD_BACKUP } from "./outlook.ts";
import { FILE_MODE, flush } from "./private-files.ts";
import { passingFault } from "./storage-faults.ts";

/** Marks a backup among SQLite files: "Hrth" in ASCII. */
export const BACKUP_APPLICATION_ID = 0x48727468;
/** The tables that a backup has besides those of hearth.db. */
const TABLES = `
CREATE TABLE backup (hearth TEXT NOT NULL, taken_at INTEGER NOT NULL);
CREATE TABLE backup_files (
  name TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, part)
);
`;
/** SQLite's longest value is shorter than a provider's file may be. */
const PART_BYTES = 1_048_576;
/** The host's own transactions are far shorter. */
const RECORD_MS_MAX = 5_000;

/** The user can repair it. The message is for them. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

export interface BackupOptions {
  readonly folder: string;
  /** Where the backup shall be. Nothing may be there. */
  readonly file: string;
  /** The version of Hearth that makes it. */
  readonly version: string;
  readonly takenAt: number;
}

/**
 * The file appears whole or not at all. A kill can leave a folder beside it, whose name begins with
 * the file's. Throws BackupRefused or FolderRefused.
 */
export const backupFolder = ({ folder, file, version, takenAt }: BackupOptions): void => {
  for (const name of [DATABASE_FILE, KEYS_FILE]) {
    if (!existsSync(join(folder, name)))
      throw new BackupRefused(`${folder} is not a data folder of Hearth: it has no ${name}.`);
  }
  // SQLite takes an empty file for a database, and its copy would look like a good backup.
  if (schemaVersionOf(join(folder, DATABASE_FILE)) === 0)
    throw new BackupRefused(`${join(folder, DATABASE_FILE)} has no data of Hearth.`);
  // A backup of a newer folder could not be restored by the version that made it.
  refuseOtherFolder(folder);
  // Also a link that leads nowhere.
  if (lstatSync(file, { throwIfNoEntry: false }))
    throw new BackupRefused(`${file} is there already.`);
  if (!existsSync(dirname(file))) throw new BackupRefused(`${dirname(file)} does not exist.`);
  // A backup with unreadable keys would be worth nothing.
  loadOrCreateKeys(folder, true);
  const beside = mkdtempSync(`${file}.`);
  try {
    const copy = join(beside, DATABASE_FILE);
    copyDatabase(join(folder, DATABASE_FILE), copy);
    const provider = join(beside, FAKE_PROVIDER_FILE);
    copyDatabase(join(folder, FAKE_PROVIDER_FILE), provider);
    addFiles(copy, { version, takenAt }, [
      [KEYS_FILE, join(folder, KEYS_FILE)],
      [FAKE_PROVIDER_FILE, provider],
    ]);
    appendDigest(copy);
    flush(copy);
    renameSync(copy, file);
    flush(dirname(file));
    recordBackup(join(folder, DATABASE_FILE), takenAt);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
};

/** For the age of the last backup. A folder on a read-only mount keeps none, and is backed up. */
const recordBackup = (path: string, takenAt: number): void => {
  try {
    const database = new DatabaseSync(path, { timeout: RECORD_MS_MAX });
    try {
      database.prepare(RECORD_BACKUP).run(takenAt);
    } finally {
      database.close();
    }
  } catch (error) {
    if (passingFault(error) === null) throw error;
  }
};

const copyDatabase = (path: string, copy: string): void => {
  // SQLite takes an empty file as the target. So only its owner can ever read it.
  writeFileSync(copy, "", { mode: FILE_MODE, flag: "wx" });
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.prepare("VACUUM INTO ?").run(copy);
  } finally {
    database.close();
  }
};

type File = readonly [name: string, path: string];

const addFiles = (
  copy: string,
  { version, takenAt }: Pick<BackupOptions, "version" | "takenAt">,
  files: readonly File[],
): void => {
  const database = new DatabaseSync(copy);
  try {
    database.exec(`PRAGMA journal_mode = MEMORY; BEGIN; ${TABLES}`);
    database.prepare("INSERT INTO backup VALUES (?, ?)").run(version, takenAt);
    const add = database.prepare("INSERT INTO backup_files VALUES (?, ?, ?)");
    for (const [name, path] of files) {
      let number = 0;
      for (const part of partsOf(path)) add.run(name, number++, part);
    }
    database.exec(`PRAGMA application_id = ${BACKUP_APPLICATION_ID}; COMMIT`);
  } finally {
    database.close();
  }
};

function* partsOf(path: string): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const part = Buffer.alloc(PART_BYTES);
      const bytes = readSync(file, part);
      if (bytes === 0) return;
      yield part.subarray(0, bytes);
    }
  } finally {
    closeSync(file);
  }
}
