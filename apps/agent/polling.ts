/** The agent's loop: send due results, poll, run the first entry that never started, poll again. */
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Agent, recover, resend, runDeployment, send, signalOf } from "./deployment-run.ts";
import { type Deployment, type MetadataDocument, readDocument } from "./document.ts";
import { failureCode } from "./json.ts";
import { type Log, lineLog } from "./log.ts";
import { openRecords } from "./records.ts";
import { hookNames } from "./run-tool.ts";

/** The stock collector's timeout. */
const POLL_MS_MAX = 10_000;
/** The engine ignores a longer list, so the agent omits it. */
const HOOKS_CHARS_MAX = 500;
const HOOK_NAME = /^[A-Za-z0-9_-]+$/;

interface AgentOptions
  extends Pick<Agent, "root" | "retryMs" | "heartbeatMs" | "hooks" | "environment"> {
  readonly metadataUrl: string;
  readonly intervalMs: number;
  readonly intervalMsMax: number;
  readonly log?: Log;
}

/**
 * Runs until it is stopped, or until the engine says that the server's URL is gone for good. No
 * failure ends the loop: nobody should have to log in to restart the agent. `drain` lets the
 * current run end and send its result, and begins no other.
 */
export const runAgent = async (
  options: AgentOptions,
  stop: AbortSignal,
  drain: AbortSignal = new AbortController().signal,
): Promise<void> => {
  const leave = AbortSignal.any([stop, drain]);
  const root = resolve(options.root);
  const agent: Agent = {
    ...options,
    root,
    records: openRecords(root),
    log: options.log ?? lineLog,
    undelivered: new Map(),
    refused: new Map(),
    skipped: new Set(),
    stop,
    leave,
  };
  agent.log("agent started");
  drain.addEventListener("abort", () => agent.log("agent drains"));
  recover(agent);
  const poll = poller(options.metadataUrl, agent);
  let pauseMs = options.intervalMs;
  while (!leave.aborted && !poll.isGone()) {
    const worked = await round(agent, poll, options.intervalMsMax).catch((error: unknown) => {
      agent.log("round failed", { code: failureCode(error) });
      return false;
    });
    if (worked) {
      pauseMs = options.intervalMs;
    } else if (!poll.isGone()) {
      await pause(pauseMs, undefined, { signal: leave }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, options.intervalMsMax);
    }
  }
  agent.log("agent stopped", poll.isGone() ? { reason: SERVER_GONE } : {});
};

const SERVER_GONE = "the engine has deleted this server or revoked its URL";

/**
 * @returns true if something ran. The caller then polls again at once, because the run may have
 * made the rest of this document outdated.
 */
const round = async (agent: Agent, poll: Poller, askMs: number): Promise<boolean> => {
  await resend(agent);
  const document = await poll.read(reportedQuery(agent));
  if (document === null) return false;
  const listed = new Map(document.deployments.map((deployment) => [deployment.id, deployment]));
  await renewSignals(agent, listed);
  for (const deployment of document.deployments) {
    const watching = { ask: poll.ask, askMs };
    if (agent.leave.aborted || (await runDeployment(agent, deployment, watching))) return true;
  }
  poll.applied(document);
  if (document.unusable === 0) agent.records.forget(listed, agent.undelivered);
  return false;
};

/**
 * The engine may have moved or changed its keys since a result was refused or could not be sent.
 * Then the document names another URL for the result. A refused result that is not listed is
 * dropped, because nobody waits for it.
 */
const renewSignals = async (
  agent: Agent,
  listed: ReadonlyMap<string, Deployment>,
): Promise<void> => {
  const { refused, undelivered } = agent;
  for (const id of refused.keys()) if (!listed.has(id)) refused.delete(id);
  for (const [id, result] of [...refused, ...undelivered]) {
    const deployment = listed.get(id);
    const signal = deployment === undefined ? null : signalOf(deployment);
    if (signal === null || signal.url === result.run.signal?.url) continue;
    refused.delete(id);
    await send(agent, { ...result, run: { ...result.run, signal }, delivery: "PENDING" });
  }
};

/**
 * Each poll reports the tools that have hooks and one undelivered result, so the engine knows why a
 * deployment is stuck.
 */
const reportedQuery = ({ hooks, undelivered, refused }: Agent): string => {
  const names = ["script", ...hookNames(hooks)].filter((name) => HOOK_NAME.test(name));
  const text = names.join(",");
  const unsent = [...undelivered.keys()][0] ?? [...refused.keys()].at(-1);
  return [
    text.length > HOOKS_CHARS_MAX ? "" : `&hooks=${text}`,
    unsent === undefined ? "" : `&unsent=${encodeURIComponent(unsent)}`,
  ].join("");
};

interface Poller {
  readonly read: (reported: string) => Promise<MetadataDocument | null>;
  readonly ask: (id: string, stop: AbortSignal) => Promise<string | null>;
  readonly applied: (document: MetadataDocument) => void;
  readonly isGone: () => boolean;
}

/**
 * The owner's URL and the one that the engine named last are tried in turn: a rotation, a restore
 * or a move of the engine may have invalidated either.
 */
const poller = (owners: string, agent: Agent): Poller => {
  const { records, log, leave } = agent;
  let named = records.namedUrl(owners) ?? owners;
  let url = named;
  let state = "";
  const gone = new Set<string>();
  let last: { readonly etag: string; readonly document: MetadataDocument } | null = null;
  const logState = (next: string) => {
    if (next !== state && !leave.aborted) log("document polled", { state: next });
    state = next;
  };
  return {
    read: async (reported) => {
      try {
        const proof = url === named ? "" : (LIFE.exec(named)?.[0] ?? "");
        const asked = `${url}${url.includes("?") ? "" : "?"}${proof}${reported}`;
        const { text, etag } = await fetchText(asked, last?.etag ?? null, leave);
        if (text === null && last !== null) return last.document;
        const document = readDocument(text ?? "");
        last = document === null || etag === null ? null : { etag, document };
        gone.clear();
        if (document === null) logState("not a JSON object");
        else if (document.unusable > 0) logState(`${document.unusable} entries unusable`);
        else logState("usable");
        return document;
      } catch (error) {
        logState(error instanceof UnexpectedStatus ? error.message : failureCode(error));
        if (error instanceof UnexpectedStatus && error.status === GONE) gone.add(url);
        url = url === owners ? named : owners;
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
    applied: ({ metadataUrl }) => {
      if (metadataUrl === null || metadataUrl === named) return;
      named = metadataUrl;
      url = metadataUrl;
      try {
        records.saveNamedUrl(owners, metadataUrl);
      } catch (error) {
        log("not recorded", { code: failureCode(error) });
      }
    },
    isGone: () => gone.has(owners) && gone.has(named),
  };
};

/**
 * The engine that named the last URL may be a restored copy of the owner's engine. The older engine
 * must get this proof, so that it stops.
 */
const LIFE = /&life=[^&]*&life_kid=[^&]*&life_sig=[^&]*/;

class UnexpectedStatus extends Error {
  override readonly name = "UnexpectedStatus";
  readonly status: number;
  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}

const GONE = 410;

const fetchText = async (
  url: string,
  etag: string | null,
  stop: AbortSignal,
): Promise<{ readonly text: string | null; readonly etag: string | null }> => {
  const condition = etag === null ? {} : { "If-None-Match": etag };
  const response = await fetch(url, {
    headers: {
      Accept: "application/json",
      "User-Agent": `hearth-agent/${AGENT_VERSION}`,
      ...condition,
    },
    signal: AbortSignal.any([stop, AbortSignal.timeout(POLL_MS_MAX)]),
  });
  const isUnchanged = response.status === 304 && etag !== null;
  if (!response.ok || isUnchanged) await response.body?.cancel();
  if (isUnchanged) return { text: null, etag };
  if (!response.ok) throw new UnexpectedStatus(response.status);
  return { text: await response.text(), etag: response.headers.get("ETag") };
};

/** Polls report this version. A test compares it with the package's. */
export const AGENT_VERSION = "0.2.0";
