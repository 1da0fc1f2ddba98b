import { parentPort } from "node:worker_threads";
import { RandomRun } from "../simulation/random/random-run.ts";
import { Batch } from "./random-batches.ts";

parentPort?.on("message", async (sent: unknown) => {
  const { nested, from, count } = Batch.parse(sent);
  const failures = [];
  let steps = 0;
  for (let seed = from; seed < from + count; seed++) {
    const result = await new RandomRun(seed, { nested }).run();
    steps += result.steps;
    if (result.failure !== null) failures.push({ seed, failure: result.failure });
  }
  parentPort?.postMessage({ nested, from, count, steps, failures });
});
