#!/usr/bin/env node
/**
 * Hearth's own agent: polls a server's metadata document, runs the scripts of its software
 * deployments and signals their results. It imports only Node and the files beside it, so it
 * bundles into one file that runs on any server.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runAgent } from "./polling.ts";
import { unverifiedTls } from "./tls-verification.ts";

const INTERVAL_MS_DEFAULT = 2_000;
const RETRY_MS_DEFAULT = 500;
const HEARTBEAT_MS_DEFAULT = 60_000;

const USAGE = `usage: hearth-agent (--metadata-url URL | --metadata-url-file FILE) --root DIR
  [--hooks DIR] [--interval-ms 2000] [--interval-ms-max 2000] [--retry-ms 500] [--heartbeat-ms 60000]`;

export interface ServeAgentOptions {
  readonly metadataUrl: string;
  readonly root: string;
  readonly intervalMs?: number | undefined;
  readonly intervalMsMax?: number | undefined;
  readonly retryMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
  readonly hooks?: string | undefined;
}

/**
 * Runs until SIGTERM, and lets the current run end. SIGINT or a second SIGTERM ends that run too.
 */
export const serveAgent = async ({
  metadataUrl,
  root,
  hooks,
  intervalMs = INTERVAL_MS_DEFAULT,
  intervalMsMax = intervalMs,
  retryMs = RETRY_MS_DEFAULT,
  heartbeatMs = HEARTBEAT_MS_DEFAULT,
}: ServeAgentOptions): Promise<void> => {
  const stopper = new AbortController();
  const drainer = new AbortController();
  const stop = () => stopper.abort();
  const drain = () => {
    drainer.abort();
    process.once("SIGTERM", stop);
  };
  process.once("SIGTERM", drain).once("SIGINT", stop);
  const pace = { intervalMs, intervalMsMax, retryMs, heartbeatMs };
  const place = { root, hooks: hooks ?? null, environment: process.env };
  await runAgent({ metadataUrl, ...pace, ...place }, stopper.signal, drainer.signal);
};

const main = async (): Promise<void> => {
  const refusal = unverifiedTls(process.env);
  if (refusal !== null) throw new Error(refusal);
  const { values } = parseArgs({
    options: {
      "metadata-url": { type: "string" },
      "metadata-url-file": { type: "string" },
      root: { type: "string" },
      hooks: { type: "string" },
      "interval-ms": { type: "string" },
      "interval-ms-max": { type: "string" },
      "retry-ms": { type: "string" },
      "heartbeat-ms": { type: "string" },
    },
  });
  const { root, hooks } = values;
  // Every user of the server can read the command line, so the URL may be in a file instead.
  const file = values["metadata-url-file"];
  const url = file === undefined ? values["metadata-url"] : readFileSync(file, "utf8").trim();
  if (url === undefined || root === undefined) {
    throw new Error("--metadata-url and --root are needed");
  }
  await serveAgent({
    metadataUrl: url,
    root,
    hooks,
    intervalMs: milliseconds(values["interval-ms"]),
    intervalMsMax: milliseconds(values["interval-ms-max"]),
    retryMs: milliseconds(values["retry-ms"]),
    heartbeatMs: milliseconds(values["heartbeat-ms"]),
  });
};

const milliseconds = (text: string | undefined): number | undefined => {
  if (text === undefined || Number(text) > 0) return text === undefined ? text : Number(text);
  throw new Error(`${text} is not a number of milliseconds`);
};

const startedAs = process.argv[1];
/** In a single executable, argv[1] is the word that the user typed, which need not be a file. */
const isMain =
  startedAs !== undefined &&
  existsSync(startedAs) &&
  realpathSync(startedAs) === fileURLToPath(import.meta.url);
if (isMain) {
  void main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exitCode = 2;
  });
}
