import { parentPort } from "node:worker_threads";
import { type DecadeResult, liveDecade } from "./decade-life.ts";
import { DeploymentLife } from "./deployment-life.ts";
import { LivesBatch } from "./deployment-lives.ts";

const lived = async (kind: string, seed: number, servers: number): Promise<DecadeResult> =>
  kind === "decades"
    ? liveDecade(seed, null, servers)
    : { ...(await new DeploymentLife(seed).run()), counts: {} };

parentPort?.on("message", async (sent: unknown) => {
  const { kind, from, count, servers } = LivesBatch.parse(sent);
  const failures = [];
  const counts: Record<string, number> = {};
  let deletes = 0;
  let answered = 0;
  for (let seed = from; seed < from + count; seed++) {
    const life = await lived(kind, seed, servers);
    for (const [what, times] of Object.entries(life.counts)) {
      counts[what] = (counts[what] ?? 0) + times;
    }
    deletes += life.deletes;
    answered += life.answered;
    if (life.failure !== null) failures.push({ seed, failure: life.failure });
  }
  parentPort?.postMessage({ kind, from, count, servers, deletes, answered, counts, failures });
});
