/**
 * Checks and locks a data folder before a host uses it. If a part of the folder is missing, the
 * host must not start: it would create that part again, and nobody could open what was sealed with
 * the old one.
 */
import { chmodSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { FAKE_PROVIDER_FILE } from "./fake-provider.ts";
import { type FolderLock, LOCK_FILE, lockFolder } from "./folder-lock.ts";
import { KEYS_FILE } from "./keys.ts";
import { DATABASE_FILE } from "./open-sqlite.ts";
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
import { shortenLogs } from "./shorten-logs.ts";

const SUFFIXES = ["", "-wal", "-shm", "-journal"];
const DATABASES = [DATABASE_FILE, FAKE_PROVIDER_FILE, LOCK_FILE];

export interface TakenFolder extends FolderLock {
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
