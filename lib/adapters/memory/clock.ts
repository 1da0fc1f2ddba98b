import type { Clock } from "#lib/ports/clock.ts";

export interface MemoryClock extends Clock {
  advance(ms: number): void;
}

/** Some moment of 2025, so that no test can take a time for a count. */
export const MEMORY_CLOCK_START = 1_750_000_000_000;

/** Time that stands still until it is told to go on. */
export const memoryClock = (start: number = MEMORY_CLOCK_START): MemoryClock => {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
};
