/**
 * The lives of deployments in `npm run prove`: a thousand random lives, each held to an oracle of
 * its own. They run on all processors, and none is repeated until the engine changes.
 */
import * as z from "zod";
import { progress } from "../progress.ts";
import { keptResults } from "../results.ts";
import { runOnThreads } from "../threads.ts";

const SOURCES = ["lib/**/*.ts", "test/prove/lives/deployment-*.ts"];
const BATCH_LIVES = 10;

export const LivesBatch = z.object({ from: z.int(), count: z.int() });

const Done = LivesBatch.extend({
  deletes: z.int(),
  answered: z.int(),
  failures: z.array(z.object({ seed: z.int(), failure: z.string() })),
});

/** Returns the number of failed lives, including earlier ones. */
export const liveDeployments = async (livesMax: number): Promise<number> => {
  const kept = keptResults(SOURCES, "-deployments", Done);
  const done = new Map(kept.former.map((batch) => [batch.from, batch]));
  const sum = { lives: 0, deletes: 0, answered: 0, failed: 0 };
  const note = ({ count, deletes, answered, failures }: z.infer<typeof Done>): void => {
    sum.lives += count;
    sum.deletes += deletes;
    sum.answered += answered;
    sum.failed += failures.length;
    for (const { seed, failure } of failures) console.log(`deployment life ${seed}: ${failure}`);
  };
  for (const batch of done.values()) note(batch);
  const bar = progress(livesMax, sum.lives, "lives of deployments");
  let from = 1;
  const next = (): object | undefined => {
    while (done.has(from)) from += BATCH_LIVES;
    if (from > livesMax) return undefined;
    const batch = { from, count: BATCH_LIVES };
    from += BATCH_LIVES;
    return batch;
  };
  await runOnThreads(new URL("./deployment-worker.ts", import.meta.url), next, (sent) => {
    const batch = Done.parse(sent);
    kept.add(batch);
    note(batch);
    bar.show(sum.lives, `${sum.failed} failed`);
  });
  bar.end();
  console.log(
    `${sum.lives.toLocaleString("en")} lives of deployments: ${sum.deletes.toLocaleString("en")} DELETEs waited, ${sum.answered.toLocaleString("en")} were answered; ${sum.failed} lives failed`,
  );
  return sum.failed;
};
