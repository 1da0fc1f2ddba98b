/** The agent's loop: send what is due, poll the document, run the first entry that was never started, poll again. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Agent, recover, resend, runDeployment } from "./deployment-run.ts";
import { type MetadataDocument, readDocument } from "./document.ts";
import { hookNames } from "./hook.ts";
import { failureCode } from "./json.ts";
import { type Log, lineLog } from "./log.ts";
import { openRecords } from "./records.ts";

/** As the stock collector's. */
const POLL_MS_MAX = 10_000;
/** More of them than the engine would take are not named at all. */
const HOOKS_CHARS_MAX = 500;
const HOOK_NAME = /^[A-Za-z0-9_-]+$/;

export interface AgentOptions {
  readonly metadataUrl: string;
  /** The folder of everything the agent keeps; it is the scripts' working directory too. */
  readonly root: string;
  readonly intervalMs: number;
  /** Where nothing happens each pause is twice as long as the one before, up to this. */
  readonly intervalMsMax: number;
  /** The first delay between attempts to send a signal. */
  readonly retryMs: number;
  /** How often a long run tells that it goes on. */
  readonly heartbeatMs: number;
  /** Where the programs of all tools but `script` are; null where there are none. */
  readonly hooks: string | null;
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
    heartbeatMs: options.heartbeatMs,
    hooks: options.hooks,
    records: openRecords(root),
    log: lineLog,
    undelivered: new Map(),
    refused: new Set(),
    skipped: new Set(),
    stop,
  };
  agent.log("agent started");
  recover(agent);
  const poll = poller(options.metadataUrl, agent.log, stop);
  let pauseMs = options.intervalMs;
  while (!stop.aborted) {
    const worked = await round(agent, poll).catch((error: unknown) => {
      agent.log("round failed", { code: failureCode(error) });
      return false;
    });
    if (worked) {
      pauseMs = options.intervalMs;
    } else {
      await pause(pauseMs, undefined, { signal: stop }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, options.intervalMsMax);
    }
  }
  agent.log("agent stopped");
};

/**
 * True when something ran. The document is then read again at once, since an entry behind it may
 * have been replaced meanwhile, and what has been overtaken must not run first.
 */
const round = async (agent: Agent, poll: Poller): Promise<boolean> => {
  await resend(agent);
  const document = await poll.read(announcement(agent));
  if (document === null) return false;
  forgetRefused(agent, document);
  for (const deployment of document.deployments) {
    if (agent.stop.aborted || (await runDeployment(agent, deployment))) return true;
  }
  poll.applied(document);
  return false;
};

/** Nobody waits any more for a result of what the document does not list. */
const forgetRefused = ({ refused }: Agent, { deployments }: MetadataDocument): void => {
  const listed = new Set(deployments.map(({ id }) => id));
  for (const id of refused) if (!listed.has(id)) refused.delete(id);
};

/**
 * What the engine is told with each poll, beside the signature: which tools there are hooks for, and a result that could
 * not be delivered. With that it knows why a deployment is stuck where it could only guess.
 */
const announcement = ({ hooks, undelivered, refused }: Agent): string => {
  const names = ["script", ...hookNames(hooks)].filter((name) => HOOK_NAME.test(name));
  const text = names.join(",");
  // One has room. What can still arrive comes first; of what was refused the latest is most likely waited for.
  const unsent = [...undelivered.keys()][0] ?? [...refused].at(-1);
  return [
    text.length > HOOKS_CHARS_MAX ? "" : `&hooks=${text}`,
    unsent === undefined ? "" : `&unsent=${encodeURIComponent(unsent)}`,
  ].join("");
};

interface Poller {
  readonly read: (announced: string) => Promise<MetadataDocument | null>;
  /** Everything in this document has run: the next poll goes where it says, which tells the engine so. */
  readonly applied: (document: MetadataDocument) => void;
}

const poller = (firstUrl: string, log: Log, stop: AbortSignal): Poller => {
  let url = firstUrl;
  let state = "";
  let last: { readonly etag: string; readonly document: MetadataDocument } | null = null;
  const become = (next: string) => {
    if (next !== state && !stop.aborted) log("document polled", { state: next });
    state = next;
  };
  return {
    read: async (announced) => {
      try {
        const asked = `${url}${url.includes("?") ? "" : "?"}${announced}`;
        const { text, etag } = await fetchText(asked, last?.etag ?? null, stop);
        if (text === null && last !== null) return last.document;
        const document = readDocument(text ?? "");
        last = document === null || etag === null ? null : { etag, document };
        if (document === null) become("not a JSON object");
        else if (document.unusable > 0) become(`${document.unusable} entries unusable`);
        else become("usable");
        return document;
      } catch (error) {
        become(error instanceof UnexpectedStatus ? error.message : failureCode(error));
        // The URL that a document handed out may have been revoked since; the first one is what the owner gave us.
        url = firstUrl;
        last = null;
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

const HEADERS = { Accept: "application/json", "User-Agent": "hearth-agent" };

/** No text where the document is still the one with this ETag. */
const fetchText = async (
  url: string,
  etag: string | null,
  stop: AbortSignal,
): Promise<{ readonly text: string | null; readonly etag: string | null }> => {
  const response = await fetch(url, {
    headers: { ...HEADERS, ...(etag === null ? {} : { "If-None-Match": etag }) },
    signal: AbortSignal.any([stop, AbortSignal.timeout(POLL_MS_MAX)]),
  });
  const isUnchanged = response.status === 304 && etag !== null;
  if (!response.ok || isUnchanged) await response.body?.cancel();
  if (isUnchanged) return { text: null, etag };
  if (!response.ok) throw new UnexpectedStatus(`answered ${response.status}`);
  return { text: await response.text(), etag: response.headers.get("ETag") };
};
