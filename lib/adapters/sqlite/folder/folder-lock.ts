/**
 * Allows one host per data folder. Node has no flock, so this uses a lock of SQLite. The system
 * releases the lock when the process dies.
 */
import { closeSync, fstatSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FolderRefused, makeFolder, openPrivate, unusable } from "./private-files.ts";

export interface FolderLock {
  release(): void;
  undo(): void;
}

export const LOCK_FILE = "host.lock";
const JOURNAL = "-journal";
const SQLITE_BUSY = 5;

/** Keeps the locks referenced, because the garbage collector would close and so release them. */
const held = new Map<string, DatabaseSync>();

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

const inUse = (folder: string, options?: ErrorOptions): FolderRefused =>
  new FolderRefused(`Another Hearth host is using ${folder}.`, options);

/**
 * Whether the path still leads to the open file. The inode number of an open file is not reused.
 */
const isStill = (path: string, handle: number): boolean => {
  const [found, opened] = [statSync(path, { throwIfNoEntry: false }), fstatSync(handle)];
  return found?.dev === opened.dev && found.ino === opened.ino;
};

const lockedFile = (folder: string, handle: number): DatabaseSync => {
  const path = join(folder, LOCK_FILE);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    if (isStill(path, handle)) return lock;
    // Another host was refused and has removed the file, so a lock on it would exclude nobody.
    throw new FolderRefused(`${path} was removed while this host started. Start it again.`);
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inUse(folder, { cause: error }) : unusable(path, error);
  }
};

const foldersFor = (folder: string): readonly string[] => {
  try {
    return makeFolder(folder);
  } catch (error) {
    throw unusable(folder, error);
  }
};

export const lockFolder = (folder: string, madeBefore: readonly string[] = []): FolderLock => {
  const path = join(folder, LOCK_FILE);
  // A second handle must not be opened, because closing it would release the lock of this process.
  if (held.has(path)) throw inUse(folder);
  const made = [...madeBefore, ...foldersFor(folder)];
  const { handle, isNew } = openPrivate(path);
  let lock: DatabaseSync;
  try {
    lock = lockedFile(folder, handle);
  } catch (error) {
    closeSync(handle);
    throw unusable(path, error);
  }
  held.set(path, lock);
  const release = (): void => {
    if (held.get(path) !== lock) return;
    held.delete(path);
    lock.close();
    closeSync(handle);
  };
  return {
    release,
    undo: () => {
      if (held.get(path) === lock) remove(isNew ? path : null, made);
      release();
    },
  };
};

/** Must be called while the lock is held. Otherwise the file may belong to another host. */
const remove = (file: string | null, folders: readonly string[]): void => {
  try {
    // The lock file comes last, because after that another process can create and lock its own.
    if (file !== null) for (const end of [JOURNAL, ""]) rmSync(`${file}${end}`, { force: true });
    for (const folder of folders.toReversed()) rmdirSync(folder);
  } catch {
    // Another process uses the folder, or it cannot be changed. The caller reports the first error.
  }
};
