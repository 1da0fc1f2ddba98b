/**
 * Checks and locks a data folder before a host uses it. If a part of the folder is missing, the
 * host must not start: it would create that part again, and nobody could open what was sealed with
 * the old one.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { FAKE_PROVIDER_FILE } from "../fake-provider.ts";
import { inDatabase, whyRefusedVersion } from "../migrate.ts";
import { DATABASE_FILE } from "../open-sqlite.ts";
import { FAKE_PROVIDER_SCHEMA, SCHEMA } from "../schema.ts";
import { passingFault } from "../storage-faults.ts";
import { type FolderLock, LOCK_FILE, lockFolder } from "./folder-lock.ts";
import { KEYS_FILE } from "./keys.ts";
import {
  codeOf,
  FILE_MODE,
  FolderRefused,
  isFullDisk,
  makeFolder,
  OTHERS,
  RESTORE,
  unusable,
} from "./private-files.ts";

const SUFFIXES = ["", "-wal", "-shm", "-journal"];
const DATABASES = [DATABASE_FILE, FAKE_PROVIDER_FILE, LOCK_FILE];

interface TakenFolder extends FolderLock {
  readonly path: string;
}

export const takeFolder = (folder: string): TakenFolder => {
  const { path, made } = preparedFolder(folder);
  try {
    for (const file of DATABASES) for (const end of SUFFIXES) narrow(join(path, `${file}${end}`));
    refuseWithoutDatabase(path);
  } catch (error) {
    throw unusable(folder, error);
  }
  try {
    return { path, ...lockFolder(path, made) };
  } catch (error) {
    if (!isFullDisk(error) || !shortenLogs(path)) throw error;
    return { path, ...lockFolder(path, made) };
  }
};

interface PreparedFolder {
  readonly path: string;
  readonly made: readonly string[];
}

const preparedFolder = (folder: string): PreparedFolder => {
  try {
    const made = makeFolder(folder);
    const path = realpathSync(folder);
    if (statSync(path).isDirectory()) return { path, made };
  } catch (error) {
    if (codeOf(error) !== "ENOTDIR") throw unusable(folder, error);
  }
  throw new FolderRefused(`${folder} is not a folder. Name one with --data.`);
};

const fileAt = (path: string): { readonly size: number; readonly mode: number } | null =>
  statSync(path, { throwIfNoEntry: false }) ?? null;

const narrow = (path: string): void => {
  const file = fileAt(path);
  if (file === null || (file.mode & OTHERS) === 0) return;
  try {
    chmodSync(path, FILE_MODE);
  } catch (error) {
    // A host that was refused removes its files.
    if (codeOf(error) === "ENOENT") return;
    throw new FolderRefused(
      `Others can read ${path}, and it belongs to another user. Change its owner.`,
      { cause: error },
    );
  }
};

/**
 * The keys are written after the database. So if keys or a write-ahead log exist, a database has
 * existed too.
 */
const refuseWithoutDatabase = (folder: string): void => {
  const path = join(folder, DATABASE_FILE);
  const size = fileAt(path)?.size ?? null;
  const hasKeys = fileAt(join(folder, KEYS_FILE)) !== null;
  if (size === null) {
    const beside = hasKeys ? KEYS_FILE : `${DATABASE_FILE}-wal`;
    const hasLog = (fileAt(`${path}-wal`)?.size ?? 0) > 0;
    if (!hasKeys && !hasLog) return;
    throw new FolderRefused(`${path} is missing beside ${beside}. ${RESTORE}`);
  }
  if (size === 0 && hasKeys) {
    throw new FolderRefused(`${path} is empty beside ${KEYS_FILE}. ${RESTORE}`);
  }
};

const FILES = [
  [DATABASE_FILE, SCHEMA],
  [FAKE_PROVIDER_FILE, FAKE_PROVIDER_SCHEMA],
] as const;

const logBytes = (path: string): number =>
  statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Where a SQLite file contains its schema's version. Opening the file would already merge its log.
 */
const VERSION_OFFSET = 60;

const versionInHeader = (path: string): number => {
  const header = Buffer.alloc(VERSION_OFFSET + 4);
  const file = openSync(path, "r");
  try {
    return readSync(file, header) < header.length ? 0 : header.readUInt32BE(VERSION_OFFSET);
  } finally {
    closeSync(file);
  }
};

/** In exclusive mode SQLite needs no shared-memory file, for which there is no space either. */
const shorten = (path: string): void =>
  inDatabase(path, { timeout: 0 }, (database) =>
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA wal_checkpoint(TRUNCATE)"),
  );

/**
 * Frees the space of the databases' logs before a host has the folder's lock. If a log has filled
 * the disk, the lock's own file cannot be written, and without the lock no start could recover.
 * Returns whether it has freed space. No committed data is lost. Files that another process uses,
 * or that another version has written, stay unchanged.
 */
export const shortenLogs = (folder: string): boolean => {
  const before = FILES.map(([file]) => logBytes(join(folder, file)));
  for (const [file, schema] of FILES) {
    const path = join(folder, file);
    if (!existsSync(path) || logBytes(path) === 0) continue;
    if (whyRefusedVersion(versionInHeader(path), schema, path) !== null) continue;
    try {
      shorten(path);
    } catch (error) {
      if (passingFault(error) === null) throw error;
    }
  }
  return FILES.some(([file], at) => logBytes(join(folder, file)) < (before[at] ?? 0));
};
