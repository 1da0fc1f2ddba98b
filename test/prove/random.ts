/**
 * The random part of `npm run prove`: many more seeds of the simulation's random runs than `npm
 * test` makes. It runs batches of plain and nested seeds in turn and repeats none.
 */
import type * as z from "zod";
import { progress } from "./progress.ts";
import { type Batch, batches, Done, replayCommand } from "./random-batches.ts";
import { keptResults } from "./results.ts";
import { runOnThreads } from "./threads.ts";

const SOURCES = ["lib/**/*.ts", "test/simulation/{world,random}/*.ts", "test/prove/random*.ts"];

/** One broken invariant may fail thousands of runs, so the reported failures are limited. */
const FAILURES_MAX = 20;

const keyOf = ({ nested, from }: Batch): string => `${nested} ${from}`;

export const runRandomly = async (runsMax: number): Promise<number> => {
  const kept = keptResults(SOURCES, "-random", Done);
  const done = new Map(kept.former.map((batch) => [keyOf(batch), batch]));
  let runs = 0;
  let steps = 0;
  const failed: string[] = [];
  const note = ({ nested, count, steps: made, failures }: z.infer<typeof Done>): void => {
    runs += count;
    steps += made;
    for (const { seed, failure } of failures) {
      const line = `seed ${seed}: ${failure}\n  ${replayCommand(seed, nested)}`;
      failed.push(line);
      console.log(line);
    }
  };
  for (const batch of done.values()) note(batch);
  if (runs > 0) console.log(`${runs.toLocaleString("en")} random runs were made before`);
  const bar = progress(runsMax, runs, "runs");

  const todo = batches(runsMax);
  const next = (): object | undefined => {
    while (failed.length < FAILURES_MAX) {
      const { value: batch } = todo.next();
      if (batch === undefined) return undefined;
      if (!done.has(keyOf(batch))) return batch;
    }
    return undefined;
  };
  await runOnThreads(new URL("./random-worker.ts", import.meta.url), next, (sent) => {
    const batch = Done.parse(sent);
    kept.add(batch);
    note(batch);
    bar.show(runs, `${failed.length} failed`);
  });
  bar.end();
  console.log(
    `${runs.toLocaleString("en")} random runs of ${steps.toLocaleString("en")} steps; ${failed.length} failed`,
  );
  return failed.length;
};
