/**
 * The circuit breaker of one database file. After a fault of the storage it lets no call through
 * until a probe has succeeded. So nobody waits for a disk that hangs, and nothing is written to a
 * file that is no longer in the folder.
 */
import { RetryLater } from "#lib/errors.ts";
import { isDamage, passingFault } from "./storage-faults.ts";

const DISK_FAILS = "the disk reports an error";

export interface StorageCircuit {
  /** Calls `work`. Throws RetryLater if the storage has failed, now or before. */
  guard<T>(work: () => T): T;
  /** Opens the circuit for a fault that no call has met, told in a sentence. */
  open(what: string): void;
  /** Opens the circuit until the file is opened anew: nobody may go on with it. */
  retire(what: string): void;
  /** Calls `work`, and closes the circuit unless it meets a fault. */
  probe(work: () => void): void;
  /** Whether calls are refused. */
  isOpen(): boolean;
  /** Throws RetryLater if calls are refused. */
  refuseIfOpen(): void;
  /** What is wrong, in a sentence. Null: nothing is. */
  fault(): string | null;
}

/** `diskFails` tells whether the disk does not give the file. */
export const storageCircuit = (path: string, diskFails: () => boolean): StorageCircuit => {
  let fault: string | null = null;
  /** It stays until the file is opened anew: only some pages may be damaged. */
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
        // The probe's own page may be in memory.
        fault = diskFails() ? `${path} cannot be used: ${DISK_FAILS}` : null;
      } catch (error) {
        // SQLite calls a page damaged that the disk does not give. The next probe reads it again.
        fault = `${path} cannot be used: ${passingFault(error) ?? String(error)}`;
      }
    },
    isOpen: () => fault !== null,
    fault: () => retired ?? fault ?? damage,
  };
};
