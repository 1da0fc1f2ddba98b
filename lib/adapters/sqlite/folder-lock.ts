/**
 * Allows one host per data folder. Node has no flock, but SQLite has. The system frees it when the
 * process dies.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface FolderLock {
  release(): void;
}

export const LOCK_FILE = "host.lock";
const SQLITE_BUSY = 5;

/** Another process or this one has locked the folder. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/** Keeps locks referenced: the garbage collector would close and free a lock. */
const held = new Set<DatabaseSync>();

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

/** Throws FolderInUse. */
export const lockFolder = (folder: string): FolderLock => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new FolderInUse(`Another Hearth host is using ${folder}.`, { cause: error });
  }
  held.add(lock);
  return {
    release: () => {
      if (held.delete(lock)) lock.close();
    },
  };
};
