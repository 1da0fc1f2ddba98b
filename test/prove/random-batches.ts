import * as z from "zod";

export const Batch = z.object({ nested: z.boolean(), from: z.int(), count: z.int() });
export type Batch = z.infer<typeof Batch>;

export const Done = Batch.extend({
  steps: z.int(),
  failures: z.array(z.object({ seed: z.int(), failure: z.string() })),
});

const BATCH_RUNS = 500;
/** One batch in this many has nested stacks, whose runs take more than twice as long. */
const NESTED_EVERY = 5;

export function* batches(runsMax: number): Generator<Batch, undefined> {
  const next = { plain: 1, nested: 1 };
  for (let number = 1; (number - 1) * BATCH_RUNS < runsMax; number++) {
    const nested = number % NESTED_EVERY === 0;
    const series = nested ? "nested" : "plain";
    yield { nested, from: next[series], count: BATCH_RUNS };
    next[series] += BATCH_RUNS;
  }
  return undefined;
}

export const replayCommand = (seed: number, nested: boolean): string =>
  `npm run replay -- ${seed}${nested ? " 1 nested" : ""}`;
