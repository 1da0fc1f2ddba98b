/**
 * The random runs of one test file. There are two files so that they run in parallel. `npm run
 * prove` begins with the same seeds, and CI makes eight times as many of its runs.
 */
import { describe, expect, it } from "vitest";
import { RandomRun } from "./random-run.ts";

const RUNS = 2_000;
const STRETCH = 500;

/**
 * Parts count from 0. Fresh seeds each day would find more, but would fail for a person who changed
 * nothing. `npm run replay -- SEED COUNT` tries further seeds.
 */
export const describePart = (part: number): void => {
  describe("the engine under duplicates, reorder, delay, loss, crashes, throttling and overtaking", () => {
    const first = 1 + part * RUNS;
    for (let from = first; from < first + RUNS; from += STRETCH) {
      it(`keeps its invariants and ends, seeds ${from} to ${from + STRETCH - 1}`, async () => {
        for (let seed = from; seed < from + STRETCH; seed++) {
          const { failure } = await new RandomRun(seed).run();
          if (failure !== null) expect.fail(`${failure}\nreplay with: npm run replay -- ${seed}`);
        }
      });
    }
  });
};
