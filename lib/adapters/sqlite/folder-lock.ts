/**
 * Allows one host per data folder. Node has no flock, but SQLite has. The system frees it when the
 * process dies.
 */
import { closeSync, fstatSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FolderRefused, makeFolder, openPrivate, unusable } from "./private-files.ts";

export interface FolderLock {
  release(): void;
  /**
   * Frees the lock, and removes what was made for it: its file, and the folders as far as they are
   * empty.
   */
  undo(): void;
}

export const LOCK_FILE = "host.lock";
/** SQLite has it beside the file for as long as the lock is held. */
const JOURNAL = "-journal";
const SQLITE_BUSY = 5;

/** Keeps locks referenced: the garbage collector would close and free a lock. */
const held = new Map<string, DatabaseSync>();

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

const inUse = (folder: string, options?: ErrorOptions): FolderRefused =>
  new FolderRefused(`Another Hearth host is using ${folder}.`, options);

/** The file at the path is the one behind the handle. An open file's number is not used again. */
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
    // Another host was refused and has removed the file: its lock would keep nobody away.
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

/**
 * Throws FolderRefused, also if another process or this one has locked the folder. `madeBefore`:
 * the folders that were made for it.
 */
export const lockFolder = (folder: string, madeBefore: readonly string[] = []): FolderLock => {
  const path = join(folder, LOCK_FILE);
  // A second handle must not be opened: the system frees a process' lock when it closes one.
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

/** Only under the lock: without it, the file may be another host's. */
const remove = (file: string | null, folders: readonly string[]): void => {
  try {
    // The file comes last: from then on, another process can make and lock its own.
    if (file !== null) for (const end of [JOURNAL, ""]) rmSync(`${file}${end}`, { force: true });
    for (const folder of folders.toReversed()) rmdirSync(folder);
  } catch {
    // Somebody else uses the folder, or it cannot be changed. What led here is told instead.
  }
};
