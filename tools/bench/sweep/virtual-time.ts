/**
 * Counts requests on the critical path. All requests take the same virtual time, so they run in
 * waves: a wave contains all waiting requests, and the next one begins when all answers are there.
 */
import { setImmediate as drained } from "node:timers/promises";
import type { RequestMeter } from "#lib/adapters/aws/clients.ts";

/** The connections that an SDK client has by default. */
const CONNECTIONS_MAX = 50;

export interface Waves extends RequestMeter {
  read(): { readonly requests: number; readonly waves: number };
}

export const countWaves = (): Waves => {
  let counted = { requests: 0, waves: 0 };
  const waiting: (() => Promise<void>)[] = [];
  let isRunning = false;

  const runWaves = async (): Promise<void> => {
    for (;;) {
      await drained();
      await drained();
      const wave = waiting.splice(0, CONNECTIONS_MAX);
      if (wave.length === 0) break;
      counted = { requests: counted.requests + wave.length, waves: counted.waves + 1 };
      await Promise.all(wave.map((send) => send()));
    }
    isRunning = false;
  };

  /** Callers get their answers only when the whole wave is done. */
  const inWave = <Answer>(request: () => Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push(async () => {
        const [answer] = await Promise.allSettled([request()]);
        setImmediate(() => {
          if (answer.status === "fulfilled") resolve(answer.value);
          else reject(answer.reason);
        });
      });
      if (isRunning) return;
      isRunning = true;
      void runWaves();
    });

  return {
    read: () => counted,
    counting: () => ({
      applyToStack: (stack) => {
        stack.add((next) => (args) => inWave(() => next(args)), { step: "initialize" });
      },
    }),
  };
};
