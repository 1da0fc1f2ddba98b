/**
 * Tells a disk that fails from a damaged file. SQLite has one error for both: for a page that the
 * disk does not give, it says that the file is damaged.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { codeOf } from "./private-files.ts";

/** Spread over the file. All of a large file would take too long. */
const PLACES = 64;

export interface DiskReads {
  /** Whether the database or its log cannot be read. */
  fail(): boolean;
  /** Only after the database is closed. */
  close(): void;
}

/** Of a database that is in memory. */
const NO_FILE: DiskReads = { fail: () => false, close: () => undefined };

/**
 * The file stays open. Closing it would take the locks of SQLite from this process, because POSIX
 * knows them by file and process. SQLite locks no log, so that may be opened each time.
 */
export const openDiskReads = (path: string): DiskReads => {
  const database = opened(path);
  if (database === null) return NO_FILE;
  return {
    fail: () => isUnreadable(database) || logIsUnreadable(`${path}-wal`),
    close: () => closeSync(database),
  };
};

/** Null: there is no such file. */
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
