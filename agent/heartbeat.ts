/**
 * While a deployment runs the engine is told so, if it said that it understands: at the beginning and then
 * at intervals, with the end of what was printed. It is evidence only, so a failure to send it stops nothing.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "./log.ts";
import type { StartedRun } from "./records.ts";
import { printed } from "./run-process.ts";
import { sendSignal } from "./signal.ts";

const TAIL_BYTES_MAX = 4_000;
/** A script does not wait longer than this for the word that it begins. */
const ANSWER_MS_MAX = 10_000;
const MS_PER_SECOND = 1_000;

export interface HeartbeatPlace {
  readonly root: string;
  readonly log: Log;
  readonly retryMs: number;
  readonly heartbeatMs: number;
  readonly stop: AbortSignal;
}

/** Tells of the beginning, then beats until it is ended; after `end` no word is under way any more. */
export const startHeartbeat = async (
  place: HeartbeatPlace,
  run: StartedRun,
): Promise<{ readonly end: () => Promise<void> }> => {
  const ended = new AbortController();
  const stop = AbortSignal.any([place.stop, ended.signal]);
  const startedAt = performance.now();
  const say = async (reason: string, more: object = {}) => {
    if (run.signal === null || stop.aborted) return;
    const body = { deploy_status: "IN_PROGRESS", deploy_status_reason: reason, ...more };
    const sending = { ...place, stop, retriesMax: 0, answerMsMax: ANSWER_MS_MAX };
    const { answer } = await sendSignal(run.signal, body, sending);
    place.log("progress signalled", { id: run.id, answer });
  };
  const beat = async () => {
    while (!stop.aborted) {
      await pause(place.heartbeatMs, undefined, { signal: stop }).catch(() => undefined);
      const seconds = Math.round((performance.now() - startedAt) / MS_PER_SECOND);
      const tail = printed(place.root, run.id, TAIL_BYTES_MAX);
      const texts = { deploy_stdout: tail.stdout, deploy_stderr: tail.stderr };
      await say(`The agent has run ${run.deployment} for ${seconds} s`, texts);
    }
  };
  await say(`The agent started ${run.deployment}`);
  const beats = beat();
  return {
    end: async () => {
      ended.abort();
      await beats;
    },
  };
};

export const NO_HEARTBEAT = { end: () => Promise.resolve() };
