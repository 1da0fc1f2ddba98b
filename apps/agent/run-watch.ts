/**
 * What the agent does beside a run: it signals progress, and it may end the run.
 *
 * Ends a run before its program does: at its owner's request, after the config's option `timeout`
 * (seconds), or with the option `overtaken: stop` after a newer request. The agent asks the engine
 * during the run, and then ends the whole process group. An engine that does not know the question
 * answers with its document, so the run goes on.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Deployment } from "./document.ts";
import { type Fields, isFields, parseFields, textOf } from "./json.ts";
import type { Log } from "./log.ts";
import type { StartedRun } from "./records.ts";
import { printed } from "./run-process.ts";
import { sendSignal } from "./signal.ts";

/** The exit code of the program `timeout`. */
const TIMED_OUT_CODE = 124;
const MS_PER_SECOND = 1_000;
const TIMEOUT_MS_MAX = 2_147_483_647;

export interface RunEnding {
  readonly reason: string;
  /** Null keeps the program's own exit code. */
  readonly exitCode: number | null;
}

interface RunWatch {
  readonly signal: AbortSignal;
  readonly ending: () => RunEnding | null;
  readonly end: () => Promise<void>;
}

export interface WatchPlace {
  readonly stop: AbortSignal;
  readonly askMs: number;
  readonly ask: (id: string, stop: AbortSignal) => Promise<string | null>;
}

export const watchRun = (place: WatchPlace, { id, entry }: Deployment): RunWatch => {
  const options = isFields(entry["options"]) ? entry["options"] : {};
  const cut = new AbortController();
  const over = new AbortController();
  const stop = AbortSignal.any([place.stop, over.signal]);
  let ending: RunEnding | null = null;
  const end = (reason: string, exitCode: number | null): void => {
    ending ??= { reason, exitCode };
    cut.abort();
  };
  const timeoutMs = timeoutMsOf(options);
  const timer =
    timeoutMs === null
      ? undefined
      : setTimeout(
          () => end(`it timed out after ${timeoutMs / MS_PER_SECOND} seconds`, TIMED_OUT_CODE),
          timeoutMs,
        );
  const watched = async (): Promise<void> => {
    while (!stop.aborted && !cut.signal.aborted) {
      await pause(place.askMs, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return;
      const answer = await place.ask(id, stop);
      const reason = answer === null ? null : reasonToEnd(answer, id, options);
      if (reason !== null) end(reason, null);
    }
  };
  const watching = watched();
  return {
    signal: cut.signal,
    ending: () => ending,
    end: async () => {
      clearTimeout(timer);
      over.abort();
      await watching;
    },
  };
};

const timeoutMsOf = (options: Fields): number | null => {
  const seconds = Number(String(options["timeout"] ?? ""));
  return seconds > 0 ? Math.min(seconds * MS_PER_SECOND, TIMEOUT_MS_MAX) : null;
};

const reasonToEnd = (answer: string, id: string, options: Fields): string | null => {
  const running = parseFields(answer)?.["running"];
  if (!isFields(running) || textOf(running, "id") !== id) return null;
  const state = textOf(running, "state");
  if (state === "stop") return textOf(running, "reason", "its owner has stopped it");
  return state === "overtaken" && textOf(options, "overtaken") === "stop"
    ? "a newer request has overtaken it"
    : null;
};

const TAIL_BYTES_MAX = 4_000;
const ANSWER_MS_MAX = 10_000;

export interface HeartbeatPlace {
  readonly root: string;
  readonly log: Log;
  readonly retryMs: number;
  readonly heartbeatMs: number;
  readonly stop: AbortSignal;
}

/**
 * Signals progress while a deployment runs, if the engine understands it: at the start, and then at
 * intervals with the end of the output. Progress is only evidence, so a failure to send it stops
 * nothing.
 */
export const startHeartbeat = async (
  place: HeartbeatPlace,
  run: StartedRun,
): Promise<{ readonly end: () => Promise<void> }> => {
  const ended = new AbortController();
  const stop = AbortSignal.any([place.stop, ended.signal]);
  const startedAt = performance.now();
  const signalProgress = async (reason: string, more: object = {}) => {
    if (run.signal === null || stop.aborted) return;
    const body = { deploy_status: "IN_PROGRESS", deploy_status_reason: reason, ...more };
    const sending = { ...place, stop, retriesMax: 0, answerMsMax: ANSWER_MS_MAX };
    const { answer } = await sendSignal(run.signal, body, sending);
    place.log("progress signalled", { id: run.id, answer });
  };
  const beat = async () => {
    while (!stop.aborted) {
      await pause(place.heartbeatMs, undefined, { signal: stop }).catch(() => undefined);
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      const tail = printed(place.root, run.id, TAIL_BYTES_MAX);
      const texts = { deploy_stdout: tail.stdout, deploy_stderr: tail.stderr };
      await signalProgress(`The agent has run ${run.deployment} for ${seconds} s`, texts);
    }
  };
  await signalProgress(`The agent started ${run.deployment}`);
  const beats = beat();
  return {
    end: async () => {
      ended.abort();
      await beats;
    },
  };
};
