import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import * as z from "zod";
import type { hunt } from "./hunt.ts";

const jobSchema = z.object({
  bundle: z.string(),
  rule: z.string(),
  seeds: z.int(),
  former: z.nullable(z.string()),
});

parentPort?.on("message", async (message: unknown) => {
  const { bundle, rule, seeds, former } = jobSchema.parse(message);
  const mutated: { readonly hunt: typeof hunt } = await import(pathToFileURL(bundle).href);
  parentPort?.postMessage(await mutated.hunt(rule, seeds, former));
});
