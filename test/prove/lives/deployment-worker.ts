/** A worker thread of the lives of deployments: it lives a batch, and sends back how they ended. */
import { parentPort } from "node:worker_threads";
import { DeploymentLife } from "./deployment-life.ts";
import { LivesBatch } from "./deployment-lives.ts";

parentPort?.on("message", async (sent: unknown) => {
  const { from, count } = LivesBatch.parse(sent);
  const failures = [];
  let deletes = 0;
  let answered = 0;
  for (let seed = from; seed < from + count; seed++) {
    const life = await new DeploymentLife(seed).run();
    deletes += life.deletes;
    answered += life.answered;
    if (life.failure !== null) failures.push({ seed, failure: life.failure });
  }
  parentPort?.postMessage({ from, count, deletes, answered, failures });
});
