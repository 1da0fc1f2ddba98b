/**
 * The circuit breaker of one database file. After a fault of the storage it refuses all calls until
 * a probe has succeeded. So no request waits for a disk that hangs, and nothing is written to a
 * file that is no longer in the folder.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { RetryLater } from "#lib/errors.ts";
import { codeOf } from "./folder/private-files.ts";
import { isDamage, passingFault } from "./storage-faults.ts";

const DISK_FAILS = "the disk reports an error";

export interface StorageCircuit {
  guard<T>(work: () => T): T;
  open(what: string): void;
  retire(what: string): void;
  probe(work: () => void): void;
  isOpen(): boolean;
  refuseIfOpen(): void;
  fault(): string | null;
}

export const storageCircuit = (path: string, diskFails: () => boolean): StorageCircuit => {
  let fault: string | null = null;
  /**
   * Damage stays reported until the file is opened again, because only some pages may be damaged.
   */
  let damage: string | null = null;
  let retired: string | null = null;

  const noted = (error: unknown): unknown => {
    const isOfDisk = isDamage(error) && diskFails();
    if (isDamage(error) && !isOfDisk) damage = `${path} is damaged`;
    const what = isOfDisk ? DISK_FAILS : passingFault(error);
    if (what === null) return error;
    fault = `${path} cannot be used: ${what}`;
    return new RetryLater(fault, undefined, { cause: error });
  };

  const refuseIfOpen = (): void => {
    const why = retired ?? fault;
    if (why !== null) throw new RetryLater(why);
  };

  return {
    refuseIfOpen,
    guard: (work) => {
      refuseIfOpen();
      try {
        return work();
      } catch (error) {
        throw noted(error);
      }
    },
    open: (what) => {
      fault = what;
    },
    retire: (what) => {
      retired ??= what;
    },
    probe: (work) => {
      try {
        work();
        // The probe's own page may be cached, so the disk itself is read too.
        fault = diskFails() ? `${path} cannot be used: ${DISK_FAILS}` : null;
      } catch (error) {
        // SQLite reports a page as damaged if the disk does not return it. The next probe reads it
        // again.
        fault = `${path} cannot be used: ${passingFault(error) ?? String(error)}`;
      }
    },
    isOpen: () => fault !== null,
    fault: () => retired ?? fault ?? damage,
  };
};

/** Reading all of a large file would take too long, so these places are spread over it. */
const PLACES = 64;

interface DiskReads {
  fail(): boolean;
  close(): void;
}

const NO_FILE: DiskReads = { fail: () => false, close: () => undefined };

/**
 * Distinguishes a disk that fails from a damaged file. SQLite reports both as damage, because a
 * page that the disk does not return looks damaged. The file stays open until the database is
 * closed. POSIX locks belong to a file and a process, so closing this handle would release SQLite's
 * locks. SQLite does not lock its log, which may be opened each time.
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

interface FileIdentity {
  change(): string | null;
}

const identityOf = (path: string): string | null => {
  const file = statSync(path, { throwIfNoEntry: false });
  return file ? `${file.dev}.${file.ino}` : null;
};

/**
 * Checks that a path still leads to the file that was opened, because a deleted file still accepts
 * writes.
 */
export const fileIdentity = (path: string): FileIdentity => {
  const opened = identityOf(path);
  return {
    change: () => {
      let found: string | null;
      try {
        found = identityOf(path);
      } catch {
        return `${path} cannot be reached any more`;
      }
      if (found === opened) return null;
      return `${path} ${found === null ? "has vanished" : "was replaced by another file"}`;
    },
  };
};
