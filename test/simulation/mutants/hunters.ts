import { once } from "node:events";
import { Worker } from "node:worker_threads";
import * as z from "zod";

const HUNT_MS_MAX = 180_000;
const answerSchema = z.tuple([z.string().nullable()]);

export interface HuntJob {
  readonly bundle: string;
  readonly rule: string;
  readonly seeds: number;
  readonly former: string | null;
}

export interface Hunters {
  hunt(job: HuntJob): Promise<string | null>;
  close(): Promise<void>;
}

export const hunters = (): Hunters => {
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  const start = (): Worker => {
    const thread = new Worker(new URL("./hunter.ts", import.meta.url));
    all.add(thread);
    return thread;
  };
  return {
    hunt: async (job) => {
      const thread = idle.pop() ?? start();
      const signal = AbortSignal.timeout(HUNT_MS_MAX);
      try {
        thread.postMessage(job);
        const [answer] = answerSchema.parse(await once(thread, "message", { signal }));
        idle.push(thread);
        return answer;
      } catch (error) {
        // A mutant may loop forever or break its thread, so the next mutant gets another thread.
        all.delete(thread);
        await thread.terminate();
        throw error;
      }
    },
    close: async () => {
      for (const thread of all) await thread.terminate();
    },
  };
};
