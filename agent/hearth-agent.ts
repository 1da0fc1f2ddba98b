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

const INTERVAL_MS_DEFAULT = 2_000;
const RETRY_MS_DEFAULT = 500;

const USAGE =
  "usage: hearth-agent --metadata-url URL --root DIR [--interval-ms 2000] [--retry-ms 500]";

export interface ServeAgentOptions {
  readonly metadataUrl: string;
  readonly root: string;
  readonly intervalMs?: number | undefined;
  readonly retryMs?: number | undefined;
}

/** Runs until SIGTERM or SIGINT, which also end the script under way. */
export const serveAgent = async ({
  metadataUrl,
  root,
  intervalMs = INTERVAL_MS_DEFAULT,
  retryMs = RETRY_MS_DEFAULT,
}: ServeAgentOptions): Promise<void> => {
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  process.once("SIGTERM", stop).once("SIGINT", stop);
  const options = { metadataUrl, root, intervalMs, retryMs, environment: process.env };
  await runAgent(options, stopper.signal);
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      "metadata-url": { type: "string" },
      root: { type: "string" },
      "interval-ms": { type: "string" },
      "retry-ms": { type: "string" },
    },
  });
  const { "metadata-url": metadataUrl, root } = values;
  if (metadataUrl === undefined || root === undefined) {
    throw new Error("--metadata-url and --root are needed");
  }
  const intervalMs = milliseconds(values["interval-ms"]);
  await serveAgent({ metadataUrl, root, intervalMs, retryMs: milliseconds(values["retry-ms"]) });
};

const milliseconds = (text: string | undefined): number | undefined => {
  if (text === undefined || Number(text) > 0) return text === undefined ? text : Number(text);
  throw new Error(`${text} is not a number of milliseconds`);
};

const startedAs = process.argv[1];
if (startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(import.meta.url)) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exitCode = 2;
  });
}
