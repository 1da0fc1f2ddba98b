#!/usr/bin/env node
/**
 * Hearth's own agent: polls a server's metadata document, runs the scripts of its software
 * deployments and signals their results. It imports nothing but Node and the files beside it, so it
 * bundles into one file that can be dropped onto any server.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runAgent } from "./polling.ts";

export const INTERVAL_MS_DEFAULT = 2_000;
export const RETRY_MS_DEFAULT = 500;

const USAGE =
  "usage: hearth-agent --metadata-url URL --root DIR [--interval-ms 2000] [--retry-ms 500]";

/** Runs until SIGTERM or SIGINT, which also end the script under way. */
export const serveAgent = async (options: {
  readonly metadataUrl: string;
  readonly root: string;
  readonly intervalMs: number;
  readonly retryMs: number;
}): Promise<void> => {
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  process.once("SIGTERM", stop).once("SIGINT", stop);
  await runAgent({ ...options, environment: process.env }, stopper.signal);
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      "metadata-url": { type: "string" },
      root: { type: "string" },
      "interval-ms": { type: "string", default: String(INTERVAL_MS_DEFAULT) },
      "retry-ms": { type: "string", default: String(RETRY_MS_DEFAULT) },
    },
  });
  const metadataUrl = values["metadata-url"];
  const intervalMs = Number(values["interval-ms"]);
  const retryMs = Number(values["retry-ms"]);
  if (metadataUrl === undefined || values.root === undefined || !(intervalMs > 0 && retryMs > 0)) {
    throw new Error("--metadata-url and --root are needed, and intervals are milliseconds");
  }
  await serveAgent({ metadataUrl, root: values.root, intervalMs, retryMs });
};

const startedAs = process.argv[1];
if (startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(import.meta.url)) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exitCode = 2;
  });
}
