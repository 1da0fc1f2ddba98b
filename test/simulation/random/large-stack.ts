import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { PREPARE_REMAINING_MS_MIN } from "#lib/convergence/limits.ts";
import type { WorldOptions } from "../world/spec.ts";
import { chance } from "./random-spec.ts";

const SPREADS_EVERY = 4;
const SHORT_PREPARES_EVERY = 5;

const shortTimes = (seed: number): (() => number) => {
  const random = memoryRandom(seed * 22_695_477 + 11);
  return () => (chance(random, 50) ? 0 : PREPARE_REMAINING_MS_MIN);
};

/** A separate generator leaves the other choices of a seed unchanged. */
export const asInLargeStack = (
  seed: number,
): Pick<WorldOptions, "spreadsRows" | "prepareBudget"> => ({
  spreadsRows: seed % SPREADS_EVERY === 1,
  ...(seed % SHORT_PREPARES_EVERY === 2 && { prepareBudget: { remainingMs: shortTimes(seed) } }),
});
