import type { Clock } from "#lib/ports/ports.ts";

export interface MemoryClock extends Clock {
  advance(ms: number): void;
}

export const MEMORY_CLOCK_START = 1_750_000_000_000;

export const memoryClock = (start: number = MEMORY_CLOCK_START): MemoryClock => {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
};
