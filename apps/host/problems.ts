/**
 * What a running host finds wrong outside Hearth: its storage, and the machine's clock. The watch
 * of the storage detects a data folder that has vanished, and the end of a fault. The log gets one
 * line for the beginning of a fault and one for its end.
 */
import { logger } from "#functions/logger.ts";
import { HELD_MS, JUMP_MS_MIN, type SteadyClock } from "#lib/adapters/node/steady-clock.ts";
import type { DatabaseCare } from "#lib/adapters/sqlite/database.ts";
import type { Problem } from "#lib/api/health.ts";

const STORAGE_LOOK_MS = 1_000;
/**
 * On a disk that is almost full, some checks succeed by chance. So only this many in a row end a
 * fault.
 */
const GOOD_LOOKS_MIN = 10;

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

interface StorageWatch {
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

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export const tellJump = (byMs: number): void => {
  const direction = byMs < 0 ? "back" : "forward";
  const seconds = Math.round(Math.abs(byMs) / SECOND_MS);
  logger.warn("the machine's clock has jumped", { direction, seconds });
};

export const clockProblems = (clock: SteadyClock): readonly Problem[] => {
  const leadMs = clock.leadMs();
  const heldMs = clock.heldMs();
  const secondsOf = (ms: number): number => Math.round(ms / SECOND_MS);
  const problems: Problem[] = [];
  if (leadMs >= JUMP_MS_MIN) {
    problems.push({
      part: "clock",
      found: `the machine's clock went back, and Hearth's time is ${secondsOf(leadMs)} s ahead of it`,
      advice: "Set the machine's clock (NTP). Hearth follows it when no stack is at work",
    });
  }
  if (heldMs > 0) {
    problems.push({
      part: "clock",
      found: `the machine's clock leapt forward by ${secondsOf(heldMs)} s, and Hearth does not follow it yet, since that would end and delete things`,
      advice: `If it is wrong, set it (NTP). If it is right, restart the host, or wait: Hearth follows after ${HELD_MS / MINUTE_MS} minutes`,
    });
  }
  return problems;
};
