/**
 * The lives of deployments in `npm run prove`: random lives, each checked by its own oracle, in
 * memory or, as a decade of a host, on a folder of files. They run on all processors, and none is
 * repeated until the engine changes.
 */
import * as z from "zod";
import { progress } from "../progress.ts";
import { keptResults } from "../results.ts";
import { runOnThreads } from "../threads.ts";
import { SERVERS } from "./deployment-life.ts";

const SOURCES = ["lib/**/*.ts", "apps/host/**/*.ts", "test/prove/lives/{deployment,decade}-*.ts"];

const KINDS = {
  deployments: { title: "lives of deployments", replay: "--deployments", batch: 10 },
  decades: { title: "decades of hosts", replay: "--decades", batch: 2 },
} as const;
const Kind = z.enum(["deployments", "decades"]);
type Kind = z.infer<typeof Kind>;

export const LivesBatch = z.object({ kind: Kind, from: z.int(), count: z.int(), servers: z.int() });

const Done = LivesBatch.extend({
  deletes: z.int(),
  answered: z.int(),
  counts: z.record(z.string(), z.int()),
  failures: z.array(z.object({ seed: z.int(), failure: z.string() })),
});

/**
 * Plays lives from seed `first` on.
 * @returns the number of failed lives, including earlier ones. A single life is always played, and
 * prints its story.
 */
export const liveDeployments = async (
  kind: Kind,
  livesMax: number,
  first: number,
  servers = SERVERS,
): Promise<number> => {
  const { title, replay, batch: batchLives } = KINDS[kind];
  const kept = keptResults(SOURCES, `-${kind}-${servers}`, Done);
  const isOne = livesMax === 1;
  const done = new Map(isOne ? [] : kept.former.map((batch) => [batch.from, batch]));
  const sum = { lives: 0, deletes: 0, answered: 0, failed: 0 };
  const happened = new Map<string, number>();
  const note = ({ count, deletes, answered, failures, counts }: z.infer<typeof Done>): void => {
    sum.lives += count;
    sum.deletes += deletes;
    sum.answered += answered;
    sum.failed += failures.length;
    for (const [what, times] of Object.entries(counts)) {
      happened.set(what, (happened.get(what) ?? 0) + times);
    }
    for (const { seed, failure } of failures) {
      console.log(`${failure}\n  npm run prove -- ${replay} 1 --from ${seed}`);
    }
  };
  for (const batch of done.values()) note(batch);
  const bar = progress(livesMax, sum.lives, title);
  let from = first;
  const next = (): object | undefined => {
    while (done.has(from)) from += batchLives;
    if (from >= first + livesMax) return undefined;
    const batch = { kind, from, count: isOne ? 1 : batchLives, servers };
    from += batchLives;
    return batch;
  };
  await runOnThreads(new URL("./deployment-worker.ts", import.meta.url), next, (sent) => {
    const batch = Done.parse(sent);
    if (!isOne) kept.add(batch);
    note(batch);
    bar.show(sum.lives, `${sum.failed} failed`);
  });
  bar.end();
  const told = [...happened].map(([what, times]) => `, ${times} ${what}`).join("");
  console.log(
    `${sum.lives.toLocaleString("en")} ${title}: ${sum.deletes.toLocaleString("en")} DELETEs waited, ${sum.answered.toLocaleString("en")} were answered${told}; ${sum.failed} failed`,
  );
  return sum.failed;
};
