/** The agent's loop: send due results, poll, run the first entry that never started, poll again. */
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Agent, recover, resend, runDeployment } from "./deployment-run.ts";
import { type MetadataDocument, readDocument } from "./document.ts";
import { hookNames } from "./hook.ts";
import { failureCode } from "./json.ts";
import { type Log, lineLog } from "./log.ts";
import { openRecords } from "./records.ts";

/** The stock collector's timeout. */
const POLL_MS_MAX = 10_000;
/** The engine ignores a longer list, so the agent omits it. */
const HOOKS_CHARS_MAX = 500;
const HOOK_NAME = /^[A-Za-z0-9_-]+$/;

export interface AgentOptions {
  readonly metadataUrl: string;
  /** The folder of the agent's records, and the working directory of scripts. */
  readonly root: string;
  readonly intervalMs: number;
  /** While nothing happens, each pause doubles up to this. */
  readonly intervalMsMax: number;
  /** The first delay between attempts to send a signal. */
  readonly retryMs: number;
  /** The interval of progress signals during a run. */
  readonly heartbeatMs: number;
  /** The folder with the programs of all tools but `script`; null: none. */
  readonly hooks: string | null;
  /** The environment that scripts inherit. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Absent: lines on standard output. */
  readonly log?: Log;
}

/**
 * Runs until it is stopped, or until the engine says that the server's URL is gone for good. No
 * failure ends it: nobody should have to log in to restart it.
 */
export const runAgent = async (options: AgentOptions, stop: AbortSignal): Promise<void> => {
  const root = resolve(options.root);
  const agent: Agent = {
    root,
    environment: options.environment,
    retryMs: options.retryMs,
    heartbeatMs: options.heartbeatMs,
    hooks: options.hooks,
    records: openRecords(root),
    log: options.log ?? lineLog,
    undelivered: new Map(),
    refused: new Set(),
    skipped: new Set(),
    stop,
  };
  agent.log("agent started");
  recover(agent);
  const poll = poller(options.metadataUrl, agent.log, stop);
  let pauseMs = options.intervalMs;
  while (!stop.aborted && !poll.isGone()) {
    const worked = await round(agent, poll, options.intervalMsMax).catch((error: unknown) => {
      agent.log("round failed", { code: failureCode(error) });
      return false;
    });
    if (worked) {
      pauseMs = options.intervalMs;
    } else if (!poll.isGone()) {
      await pause(pauseMs, undefined, { signal: stop }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, options.intervalMsMax);
    }
  }
  agent.log("agent stopped", poll.isGone() ? { reason: SERVER_GONE } : {});
};

const SERVER_GONE = "the engine has deleted this server or revoked its URL";

/**
 * True: something ran. The caller then polls again at once, because a later entry may have been
 * replaced during the run, and an outdated entry must not run.
 */
const round = async (agent: Agent, poll: Poller, askMs: number): Promise<boolean> => {
  await resend(agent);
  const document = await poll.read(reportedQuery(agent));
  if (document === null) return false;
  forgetRefused(agent, document);
  for (const deployment of document.deployments) {
    const watching = { ask: poll.ask, askMs };
    if (agent.stop.aborted || (await runDeployment(agent, deployment, watching))) return true;
  }
  poll.applied(document);
  return false;
};

/** Nothing waits for the result of an id that the document no longer lists. */
const forgetRefused = ({ refused }: Agent, { deployments }: MetadataDocument): void => {
  const listed = new Set(deployments.map(({ id }) => id));
  for (const id of refused) if (!listed.has(id)) refused.delete(id);
};

/**
 * Each poll reports the tools that have hooks, and one undelivered result. With that the engine
 * knows why a deployment is stuck instead of guessing.
 */
const reportedQuery = ({ hooks, undelivered, refused }: Agent): string => {
  const names = ["script", ...hookNames(hooks)].filter((name) => HOOK_NAME.test(name));
  const text = names.join(",");
  // The query names one result: a pending one first, else the latest refused one.
  const unsent = [...undelivered.keys()][0] ?? [...refused].at(-1);
  return [
    text.length > HOOKS_CHARS_MAX ? "" : `&hooks=${text}`,
    unsent === undefined ? "" : `&unsent=${encodeURIComponent(unsent)}`,
  ].join("");
};

interface Poller {
  readonly read: (reported: string) => Promise<MetadataDocument | null>;
  /** Whether a run shall go on, in the engine's words. Null: there is no answer. */
  readonly ask: (id: string, stop: AbortSignal) => Promise<string | null>;
  /** Everything in this document has run. Polling its URL next reports that to the engine. */
  readonly applied: (document: MetadataDocument) => void;
  /** The URL that the owner set was answered 410: no later poll of it can succeed. */
  readonly isGone: () => boolean;
}

const poller = (firstUrl: string, log: Log, stop: AbortSignal): Poller => {
  let url = firstUrl;
  let state = "";
  let isGone = false;
  let last: { readonly etag: string; readonly document: MetadataDocument } | null = null;
  const logState = (next: string) => {
    if (next !== state && !stop.aborted) log("document polled", { state: next });
    state = next;
  };
  return {
    read: async (reported) => {
      try {
        const asked = `${url}${url.includes("?") ? "" : "?"}${reported}`;
        const { text, etag } = await fetchText(asked, last?.etag ?? null, stop);
        if (text === null && last !== null) return last.document;
        const document = readDocument(text ?? "");
        last = document === null || etag === null ? null : { etag, document };
        if (document === null) logState("not a JSON object");
        else if (document.unusable > 0) logState(`${document.unusable} entries unusable`);
        else logState("usable");
        return document;
      } catch (error) {
        logState(error instanceof UnexpectedStatus ? error.message : failureCode(error));
        isGone = url === firstUrl && error instanceof UnexpectedStatus && error.status === GONE;
        // The document's URL may have been revoked. The first URL is the one that the owner set.
        url = firstUrl;
        last = null;
        return null;
      }
    },
    ask: async (id, asking) => {
      try {
        const asked = `${url}${url.includes("?") ? "&" : "?"}running=${encodeURIComponent(id)}`;
        return (await fetchText(asked, null, asking)).text;
      } catch (error) {
        logState(error instanceof UnexpectedStatus ? error.message : failureCode(error));
        return null;
      }
    },
    applied: (document) => {
      url = document.metadataUrl ?? url;
    },
    isGone: () => isGone,
  };
};

class UnexpectedStatus extends Error {
  override readonly name = "UnexpectedStatus";
  readonly status: number;
  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}

const GONE = 410;

const HEADERS = { Accept: "application/json", "User-Agent": "hearth-agent" };

/** Text is null if the document still has this ETag. */
const fetchText = async (
  url: string,
  etag: string | null,
  stop: AbortSignal,
): Promise<{ readonly text: string | null; readonly etag: string | null }> => {
  const condition = etag === null ? {} : { "If-None-Match": etag };
  const response = await fetch(url, {
    headers: { ...HEADERS, ...condition },
    signal: AbortSignal.any([stop, AbortSignal.timeout(POLL_MS_MAX)]),
  });
  const isUnchanged = response.status === 304 && etag !== null;
  if (!response.ok || isUnchanged) await response.body?.cancel();
  if (isUnchanged) return { text: null, etag };
  if (!response.ok) throw new UnexpectedStatus(response.status);
  return { text: await response.text(), etag: response.headers.get("ETag") };
};
