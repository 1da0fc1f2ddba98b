/**
 * Signals progress while a deployment runs, if the engine understands it: at the start, and then at
 * intervals with the end of the output. Progress is only evidence, so a failure to send it stops
 * nothing.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "./log.ts";
import type { StartedRun } from "./records.ts";
import { printed } from "./run-process.ts";
import { sendSignal } from "./signal.ts";

const TAIL_BYTES_MAX = 4_000;
const ANSWER_MS_MAX = 10_000;

export interface HeartbeatPlace {
  readonly root: string;
  readonly log: Log;
  readonly retryMs: number;
  readonly heartbeatMs: number;
  readonly stop: AbortSignal;
}

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

export const NO_HEARTBEAT = { end: () => Promise.resolve() };
