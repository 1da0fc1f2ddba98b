import { describe, expect, it } from "vitest";
import { RandomRun } from "./random-run.ts";

const RUNS = 1_000;
const STRETCH = 500;
const PARTIAL_MIN = 10;

describe("nested stacks under the same faults, with users who act on them directly", () => {
  for (let from = 1; from < RUNS; from += STRETCH) {
    it(`keep their invariants and end, seeds ${from} to ${from + STRETCH - 1}`, async () => {
      let partial = 0;
      for (let seed = from; seed < from + STRETCH; seed++) {
        const { failure, partialGroups } = await new RandomRun(seed, { nested: true }).run();
        partial += partialGroups;
        expect(failure, `replay with: npm run replay -- ${seed} 1 nested`).toBeNull();
      }
      expect(partial, "P24: traversals of a part of a group").toBeGreaterThan(PARTIAL_MIN);
    });
  }
});
