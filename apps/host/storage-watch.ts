/**
 * Watches the storage of a running host. It detects a data folder that has vanished, and the end of
 * a fault. The log gets one line for the beginning of a fault and one for its end.
 */
import { logger } from "#functions/logger.ts";
import type { DatabaseCare } from "#lib/adapters/sqlite/database.ts";
import type { Problem } from "#lib/api/context.ts";

export const STORAGE_LOOK_MS = 1_000;
/**
 * On a disk that is almost full, some checks succeed by chance. So only this many in a row end a
 * fault.
 */
export const GOOD_LOOKS_MIN = 10;

const ADVICE =
  "Free space, end what locks the file, or put the folder back. The host goes on by itself";

const adviceFor = (found: string): string => {
  if (found.includes(" was restored elsewhere"))
    return "Stop this host, or the other one, for good";
  return found.endsWith("is damaged") ? "Stop the host and restore a backup" : ADVICE;
};

export const storageProblem = (found: string): Problem => ({
  part: "storage",
  found,
  advice: adviceFor(found),
});

export interface HostStorage {
  faults(): readonly string[];
  refuseIfFailed(): void;
  lookAfter(): void;
}

export const hostStorage = (files: readonly DatabaseCare[]): HostStorage => ({
  faults: () => files.flatMap((file) => file.fault() ?? []),
  refuseIfFailed: () => {
    for (const file of files) file.refuseIfFailed();
  },
  lookAfter: () => {
    for (const file of files) file.lookAfter();
  },
});

export interface StorageWatch {
  stop(): void;
}

interface WatchOptions {
  readonly lookMs?: number | undefined;
  /** Called at each successful check until the fault is over. */
  readonly tryAgain: () => void;
  readonly over: () => void;
}

export const startStorageWatch = (
  storage: HostStorage,
  { lookMs = STORAGE_LOOK_MS, tryAgain, over }: WatchOptions,
): StorageWatch => {
  let told: string | null = null;
  let goodLooks = 0;

  const look = (): void => {
    const met = storage.faults();
    storage.lookAfter();
    const left = storage.faults();
    const fault = [...new Set([...met, ...left])].join("; ");
    if (fault !== "") {
      goodLooks = 0;
      if (told === null) logger.error("the storage has failed", new Error(fault));
      told ??= fault;
    }
    if (told === null || left.length > 0) return;
    goodLooks += 1;
    tryAgain();
    if (goodLooks < GOOD_LOOKS_MIN) return;
    logger.info("the storage is well again", { after: told });
    told = null;
    over();
  };

  const timer = setInterval(look, lookMs);
  return { stop: () => clearInterval(timer) };
};
