/**
 * Copies a data folder into one file while a host may be using the folder. The file is a copy of
 * hearth.db with two more tables, which describe the backup and contain the other files. A digest
 * follows after its end. VACUUM INTO reads the state of one moment and blocks no writer. The
 * provider's file is copied afterwards, because the engine can handle a provider that is ahead of
 * it.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FAKE_PROVIDER_FILE } from "../fake-provider.ts";
import { inDatabase, schemaVersionOf } from "../migrate.ts";
import { DATABASE_FILE } from "../open-sqlite.ts";
import { RECORD_BACKUP } from "../outlook.ts";
import { passingFault } from "../storage-faults.ts";
import { refuseOtherFolder } from "./folder-version.ts";
import { KEYS_FILE, loadOrCreateKeys } from "./keys.ts";
import { FILE_MODE, flush } from "./private-files.ts";

export const BACKUP_APPLICATION_ID = 0x48727468;
const TABLES = `
CREATE TABLE backup (hearth TEXT NOT NULL, taken_at INTEGER NOT NULL);
CREATE TABLE backup_files (
  name TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, part)
);
`;
/** A provider's file may be longer than SQLite's longest value. */
const PART_BYTES = 1_048_576;
const RECORD_MS_MAX = 5_000;

export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

export interface BackupOptions {
  readonly folder: string;
  readonly file: string;
  readonly version: string;
  readonly takenAt: number;
}

/**
 * The file appears complete or not at all. A killed process may leave a folder beside it, whose
 * name begins with the name of the file.
 * @throws BackupRefused or FolderRefused
 */
export const backupFolder = ({ folder, file, version, takenAt }: BackupOptions): void => {
  for (const name of [DATABASE_FILE, KEYS_FILE]) {
    if (!existsSync(join(folder, name)))
      throw new BackupRefused(`${folder} is not a data folder of Hearth: it has no ${name}.`);
  }
  // SQLite accepts an empty file as a database, and its copy would look like a good backup.
  if (schemaVersionOf(join(folder, DATABASE_FILE)) === 0)
    throw new BackupRefused(`${join(folder, DATABASE_FILE)} has no data of Hearth.`);
  // The version that makes a backup of a newer folder could not restore it.
  refuseOtherFolder(folder);
  if (lstatSync(file, { throwIfNoEntry: false }))
    throw new BackupRefused(`${file} is there already.`);
  if (!existsSync(dirname(file))) throw new BackupRefused(`${dirname(file)} does not exist.`);
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

/**
 * Records the time for the age of the last backup. A folder on a read-only mount cannot store it,
 * but its backup is valid.
 */
const recordBackup = (path: string, takenAt: number): void => {
  try {
    inDatabase(path, { timeout: RECORD_MS_MAX }, (database) =>
      database.prepare(RECORD_BACKUP).run(takenAt),
    );
  } catch (error) {
    if (passingFault(error) === null) throw error;
  }
};

const copyDatabase = (path: string, copy: string): void => {
  // SQLite accepts an empty file as the target, so the copy is never readable for other users.
  writeFileSync(copy, "", { mode: FILE_MODE, flag: "wx" });
  inDatabase(path, { readOnly: true }, (database) => database.prepare("VACUUM INTO ?").run(copy));
};

type File = readonly [name: string, path: string];

const addFiles = (
  copy: string,
  { version, takenAt }: Pick<BackupOptions, "version" | "takenAt">,
  files: readonly File[],
): void =>
  inDatabase(copy, {}, (database) => {
    database.exec(`PRAGMA journal_mode = MEMORY; BEGIN; ${TABLES}`);
    database.prepare("INSERT INTO backup VALUES (?, ?)").run(version, takenAt);
    const add = database.prepare("INSERT INTO backup_files VALUES (?, ?, ?)");
    for (const [name, path] of files) {
      let number = 0;
      for (const part of partsOf(path)) add.run(name, number++, part);
    }
    database.exec(`PRAGMA application_id = ${BACKUP_APPLICATION_ID}; COMMIT`);
  });

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

const ALGORITHM = "sha256";
const DIGEST_BYTES = 32;
const READ_BYTES = 1_048_576;

const digestOf = (file: number, bytes: number): Buffer => {
  const hash = createHash(ALGORITHM);
  const part = Buffer.alloc(READ_BYTES);
  for (let at = 0; at < bytes; ) {
    const read = readSync(file, part, 0, Math.min(READ_BYTES, bytes - at), at);
    if (read === 0) break;
    hash.update(part.subarray(0, read));
    at += read;
  }
  return hash.digest();
};

const reading = <T>(path: string, read: (file: number, bytes: number) => T): T => {
  const file = openSync(path, "r");
  try {
    return read(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
};

/**
 * Appends a digest to a SQLite file. SQLite's own check examines the structure of a file, and would
 * not find a changed letter in a value.
 */
export const appendDigest = (path: string): void => {
  appendFileSync(path, reading(path, digestOf));
};

export const hasItsDigest = (path: string): boolean =>
  reading(path, (file, size) => {
    const bytes = size - DIGEST_BYTES;
    if (bytes < 0) return false;
    const stored = Buffer.alloc(DIGEST_BYTES);
    readSync(file, stored, 0, DIGEST_BYTES, bytes);
    return stored.equals(digestOf(file, bytes));
  });

export const dropDigest = (path: string): void => {
  truncateSync(path, statSync(path).size - DIGEST_BYTES);
};
