import { describe, expect, it } from "vitest";
import { RandomRun } from "./random-run.ts";

/** A fresh stretch of seeds each day would find more, but would fail for somebody who changed nothing: `npm run replay -- SEED COUNT` looks further. */
const FIRST_SEED = 1;
const RUNS = 6_000;
const STRETCH = 500;

describe("the engine under duplicates, reorder, delay, loss, crashes and overtaking", () => {
  for (let from = FIRST_SEED; from < FIRST_SEED + RUNS; from += STRETCH) {
    it(`keeps its invariants and comes to its end, seeds ${from} to ${from + STRETCH - 1}`, async () => {
      for (let seed = from; seed < from + STRETCH; seed++) {
        const { failure } = await new RandomRun(seed).run();
        expect(failure, `replay with: npm run replay -- ${seed}`).toBeNull();
      }
    });
  }
});
