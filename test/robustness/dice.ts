/** Seeded choices. The same seed and number give the same input. */
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";

export interface Dice {
  below(limit: number): number;
  chance(percent: number): boolean;
  /** A mistake. Most inputs make few or none, so that their values are reached. */
  slip(percent: number): boolean;
  pick<T>(items: readonly T[]): T;
  some<T>(most: number, make: (at: number) => T): T[];
}

/** Spreads the numbers of inputs over the seeds: the golden ratio in 32 bits. */
const SPREAD = 0x9e_37_79_b1;

const WILDNESS = [0, 0, 20, 100, 1_000];

export const diceOf = (seed: number, number: number): Dice => {
  const random = memoryRandom((Math.imul(seed + 1, SPREAD) ^ number) >>> 0);
  const below = (limit: number): number => random.below(limit);
  const wildness = WILDNESS[below(WILDNESS.length)] ?? 0;
  return {
    below,
    chance: (percent) => below(100) < percent,
    slip: (percent) => below(100_000) < percent * wildness,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from");
      return item;
    },
    some: (most, make) => Array.from({ length: below(most + 1) }, (_, at) => make(at)),
  };
};
