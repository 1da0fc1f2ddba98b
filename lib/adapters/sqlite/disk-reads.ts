/**
 * Distinguishes a disk that fails from a damaged file. SQLite reports both as damage, because a
 * page that the disk does not return looks damaged.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { codeOf } from "./private-files.ts";

/** Reading all of a large file would take too long, so these places are spread over it. */
const PLACES = 64;

export interface DiskReads {
  fail(): boolean;
  close(): void;
}

const NO_FILE: DiskReads = { fail: () => false, close: () => undefined };

/**
 * The file stays open until the database is closed. POSIX locks belong to a file and a process, so
 * closing this handle would release SQLite's locks. SQLite does not lock its log, which may be
 * opened each time.
 */
export const openDiskReads = (path: string): DiskReads => {
  const database = opened(path);
  if (database === null) return NO_FILE;
  return {
    fail: () => isUnreadable(database) || logIsUnreadable(`${path}-wal`),
    close: () => closeSync(database),
  };
};

const opened = (path: string): number | null => {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
};

const logIsUnreadable = (path: string): boolean => {
  try {
    const log = opened(path);
    if (log === null) return false;
    const isFailing = isUnreadable(log);
    closeSync(log);
    return isFailing;
  } catch {
    return true;
  }
};

const isUnreadable = (file: number): boolean => {
  try {
    const { size } = fstatSync(file);
    const byte = Buffer.alloc(1);
    for (let place = 0; place < PLACES; place += 1)
      readSync(file, byte, 0, 1, Math.floor((size * place) / PLACES));
    return false;
  } catch {
    return true;
  }
};
