import { describe, expect, it } from "vitest";
import { RandomRun } from "./random-run.ts";

/** `npm run prove` begins with the same seeds, and CI makes 8,000 of its runs. */
const RUNS = 500;
const PARTIAL_MIN = 10;

describe("nested stacks under the same faults, with users who act on them directly", () => {
  it(`keep their invariants and end, seeds 1 to ${RUNS}`, async () => {
    let partial = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const { failure, partialGroups } = await new RandomRun(seed, { nested: true }).run();
      partial += partialGroups;
      expect(failure, `replay with: npm run replay -- ${seed} 1 nested`).toBeNull();
    }
    expect(partial, "P24: traversals of a part of a group").toBeGreaterThan(PARTIAL_MIN);
  });
});
