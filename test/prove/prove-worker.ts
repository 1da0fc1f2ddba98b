import { parentPort } from "node:worker_threads";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { configurations } from "./configurations.ts";
import { Search } from "./search.ts";

const Task = z.object({ number: z.int(), statesMax: z.int() });
const all = configurations();

parentPort?.on("message", async (sent: unknown) => {
  const { number, statesMax } = Task.parse(sent);
  const config = present(all[number], `configuration ${number}`);
  const search = await Search.of(config);
  const bound = Math.min(statesMax, config.statesMax ?? statesMax);
  parentPort?.postMessage({ number, report: await search.run({ statesMax: bound }) });
});
