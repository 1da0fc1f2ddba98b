/**
 * Servers in one process that poll and signal as agents do. Each one fetches its document once per
 * interval, and signals the result of every new entry twice, as an impatient agent might.
 */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Latencies, openLatencies } from "./latency.ts";

const MetadataDocument = z.object({
  deployments: z.array(
    z.object({
      id: z.string(),
      inputs: z.array(z.object({ name: z.string(), value: z.json() })),
    }),
  ),
});

const SIGNAL_URL = "deploy_signal_id";

export interface Phase {
  readonly polls: Latencies;
  readonly signals: Latencies;
  refused: number;
}

export const openPhase = (): Phase => ({
  polls: openLatencies(),
  signals: openLatencies(),
  refused: 0,
});

export type Exchange = (
  url: string,
  result?: string,
) => Promise<{ readonly status: number; readonly text: string }>;

const JSON_HEADERS = { "Content-Type": "application/json" };

const keptConnections: Exchange = async (url, result) => {
  const put = { method: "PUT", headers: JSON_HEADERS, body: result ?? null };
  const response = await fetch(url, result === undefined ? {} : put);
  return { status: response.status, text: await response.text() };
};

export interface Fleet {
  enter(phase: Phase): void;
  readonly runs: number;
  stop(): Promise<void>;
}

interface Agent {
  readonly url: string;
  readonly seen: Set<string>;
}

export const resultOf = (id: string): string => `ran ${id}`;

export const startFleet = (
  urls: readonly string[],
  intervalMs: number,
  phase: Phase,
  exchange = keptConnections,
): Fleet => {
  const stopped = new AbortController();
  let current = phase;
  let runs = 0;

  const timed: (into: Latencies, ...asked: Parameters<Exchange>) => ReturnType<Exchange> = async (
    into,
    ...asked
  ) => {
    const startedAt = performance.now();
    const answer = await exchange(...asked);
    into.add(performance.now() - startedAt);
    if (answer.status !== 200) current.refused += 1;
    return answer;
  };

  const signal = (url: string, id: string) =>
    timed(
      current.signals,
      url,
      JSON.stringify({ deploy_stdout: resultOf(id), deploy_status_code: 0 }),
    );

  const poll = async ({ url, seen }: Agent): Promise<void> => {
    const { status, text } = await timed(current.polls, url);
    if (status !== 200) return;
    for (const { id, inputs } of MetadataDocument.parse(JSON.parse(text)).deployments) {
      const target = inputs.find(({ name }) => name === SIGNAL_URL)?.value;
      if (seen.has(id) || typeof target !== "string") continue;
      seen.add(id);
      runs += 1;
      await Promise.all([signal(target, id), signal(target, id)]);
    }
  };

  const live = async (agent: Agent, at: number): Promise<void> => {
    const wait = (ms: number) =>
      pause(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
    await wait((intervalMs * at) / urls.length);
    while (!stopped.signal.aborted) {
      const startedAt = performance.now();
      await poll(agent);
      await wait(Math.max(intervalMs - (performance.now() - startedAt), 0));
    }
  };

  const lives = urls.map((url, at) => live({ url, seen: new Set() }, at));
  return {
    enter: (next) => {
      current = next;
    },
    get runs() {
      return runs;
    },
    stop: async () => {
      stopped.abort();
      await Promise.all(lives);
    },
  };
};
