/**
 * Ends a run before its program does: at its owner's request, after the config's option `timeout`
 * (seconds), or with the option `overtaken: stop` after a newer request. The agent asks the engine
 * during the run, and then ends the whole process group. An engine that does not know the question
 * answers with its document, so the run goes on.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Deployment } from "./document.ts";
import { type Fields, isFields, parseFields, textOf } from "./json.ts";

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
