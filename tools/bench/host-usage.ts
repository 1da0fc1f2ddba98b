import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";

const PROBE_EVERY_MS = 100;

const Counters = z.object({ counters: z.record(z.string(), z.number()) });
const Process = z.object({ process: z.record(z.string(), z.number()) });
export type Counts = Readonly<Record<string, number>>;

const documentAt = async (url: string): Promise<unknown> => (await fetch(url)).json();

const processOf = async (url: string): Promise<Counts> =>
  Process.parse(await documentAt(`${url}/_dev/process`)).process;

export const countsOf = async (url: string): Promise<Counts> => {
  const { counters } = Counters.parse(await documentAt(`${url}/_dev/counters`));
  const used = await processOf(url);
  const cpuMs = ((used["cpu_user_us"] ?? 0) + (used["cpu_system_us"] ?? 0)) / 1_000;
  return { ...counters, ...used, cpu_ms: cpuMs };
};

/** Resets the peak memory of the host, which works only on Linux. */
export const resetPeak = async (url: string): Promise<void> => {
  const file = `/proc/${(await processOf(url))["pid"] ?? 0}/clear_refs`;
  if (existsSync(file)) writeFileSync(file, "5");
};

export const probe = (url: string): (() => Promise<number>) => {
  let isOver = false;
  let longestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await processOf(url);
      longestMs = Math.max(longestMs, performance.now() - askedAt);
      await pause(PROBE_EVERY_MS);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return longestMs;
  };
};
