import type { Random } from "#lib/ports/ports.ts";
import { chance } from "../random/random-spec.ts";

export interface Chaos {
  crashes: number;
  duplicates: number;
  losses: number;
  failures: number;
  requests: number;
  jumps: number;
  throttles: number;
  slowAnswers: number;
  poisons: number;
  staleReads: number;
}

/** One run in five is calm. Faults that only the sweeper repairs need a sweeper. */
export const drawChaos = (random: Random, sweeps: boolean): Chaos => {
  const calm = chance(random, 20);
  return {
    crashes: calm ? 0 : random.below(6),
    duplicates: calm ? 0 : random.below(6),
    losses: calm || !sweeps ? 0 : random.below(4),
    failures: sweeps && chance(random, 30) ? 1 + random.below(2) : 0,
    requests: random.below(5),
    jumps: random.below(5),
    // After a throttled end of an operation and a cancel, only the sweeper continues.
    throttles: calm || !sweeps ? 0 : random.below(4),
    slowAnswers: calm ? 0 : random.below(4),
    poisons: sweeps && chance(random, 15) ? 1 + random.below(2) : 0,
    staleReads: calm ? 0 : random.below(3),
  };
};
