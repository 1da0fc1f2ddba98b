/** The agent's loop: send what is due, poll the document, run the first entry that was never started, poll again. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Agent, recover, resend, runDeployment } from "./deployment-run.ts";
import { type MetadataDocument, readDocument } from "./document.ts";
import { failureCode } from "./json.ts";
import { type Log, lineLog } from "./log.ts";
import { openRecords } from "./records.ts";

/** As the stock collector's. */
const POLL_MS_MAX = 10_000;

export interface AgentOptions {
  readonly metadataUrl: string;
  /** The folder of everything the agent keeps; it is the scripts' working directory too. */
  readonly root: string;
  readonly intervalMs: number;
  /** The first delay between attempts to send a signal. */
  readonly retryMs: number;
  /** What scripts inherit. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
}

/** Runs until it is stopped. No failure ends it: a server must not need anybody to log in and start it again. */
export const runAgent = async (options: AgentOptions, stop: AbortSignal): Promise<void> => {
  const root = resolve(options.root);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const agent: Agent = {
    root,
    environment: options.environment,
    retryMs: options.retryMs,
    records: openRecords(root),
    log: lineLog,
    undelivered: new Map(),
    skipped: new Set(),
    stop,
  };
  agent.log("agent started");
  recover(agent);
  const poll = poller(options.metadataUrl, agent.log, stop);
  while (!stop.aborted) {
    const worked = await round(agent, poll).catch((error: unknown) => {
      agent.log("round failed", { code: failureCode(error) });
      return false;
    });
    if (!worked)
      await pause(options.intervalMs, undefined, { signal: stop }).catch(() => undefined);
  }
  agent.log("agent stopped");
};

/**
 * True when something ran. The document is then read again at once, since an entry behind it may
 * have been replaced meanwhile, and what has been overtaken must not run first.
 */
const round = async (agent: Agent, poll: Poller): Promise<boolean> => {
  await resend(agent);
  const document = await poll.read();
  if (document === null) return false;
  for (const deployment of document.deployments) {
    if (agent.stop.aborted || (await runDeployment(agent, deployment))) return true;
  }
  poll.applied(document);
  return false;
};

interface Poller {
  readonly read: () => Promise<MetadataDocument | null>;
  /** Everything in this document has run: the next poll goes where it says, which tells the engine so. */
  readonly applied: (document: MetadataDocument) => void;
}

const poller = (firstUrl: string, log: Log, stop: AbortSignal): Poller => {
  let url = firstUrl;
  let state = "";
  const become = (next: string) => {
    if (next !== state && !stop.aborted) log("document polled", { state: next });
    state = next;
  };
  return {
    read: async () => {
      try {
        const text = await fetchText(url, stop);
        const document = readDocument(text);
        if (document === null) become("not a JSON object");
        else if (document.unusable > 0) become(`${document.unusable} entries unusable`);
        else become("usable");
        return document;
      } catch (error) {
        become(error instanceof UnexpectedStatus ? error.message : failureCode(error));
        // The URL that a document handed out may have been revoked since; the first one is what the owner gave us.
        url = firstUrl;
        return null;
      }
    },
    applied: (document) => {
      url = document.metadataUrl ?? url;
    },
  };
};

class UnexpectedStatus extends Error {
  override readonly name = "UnexpectedStatus";
}

const fetchText = async (url: string, stop: AbortSignal): Promise<string> => {
  const response = await fetch(url, {
    headers: { Accept: "application/json" },
    signal: AbortSignal.any([stop, AbortSignal.timeout(POLL_MS_MAX)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new UnexpectedStatus(`answered ${response.status}`);
  }
  return response.text();
};
