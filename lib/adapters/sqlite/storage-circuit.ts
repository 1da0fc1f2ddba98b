/**
 * The circuit breaker of one database file. After a fault of the storage it refuses all calls until
 * a probe has succeeded. So no request waits for a disk that hangs, and nothing is written to a
 * file that is no longer in the folder.
 */
import { RetryLater } from "#lib/errors.ts";
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
