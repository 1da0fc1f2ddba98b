/**
 * Allows one host per data folder. Node has no flock, but SQLite has. The system frees it when the
 * process dies.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FolderRefused, makePrivate, unusable } from "./private-files.ts";

export interface FolderLock {
  release(): void;
}

export const LOCK_FILE = "host.lock";
const SQLITE_BUSY = 5;

/** Keeps locks referenced: the garbage collector would close and free a lock. */
const held = new Set<DatabaseSync>();

const openLock = (path: string): DatabaseSync => {
  makePrivate(path);
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unusable(path, error);
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

/** Throws FolderRefused, also if another process or this one has locked the folder. */
export const lockFolder = (folder: string): FolderLock => {
  const path = join(folder, LOCK_FILE);
  const lock = openLock(path);
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw unusable(path, error);
    throw new FolderRefused(`Another Hearth host is using ${folder}.`, { cause: error });
  }
  held.add(lock);
  return {
    release: () => {
      if (held.delete(lock)) lock.close();
    },
  };
};
