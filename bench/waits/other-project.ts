/** Another project's requests, one after another, and how long each of them waited. */
import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 5;
const P99 = 0.99;

export interface Waits {
  readonly p99: number;
  readonly most: number;
}

export const watchWaits = (url: string): { readonly end: () => Promise<Waits> } => {
  const waited: number[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now();
      const response = await fetch(`${url}/v1/other/stacks`);
      await response.arrayBuffer();
      waited.push(performance.now() - startedAt);
      await pause(PAUSE_MS);
    }
  };
  const running = run();
  return {
    end: async () => {
      isOver = true;
      await running;
      const sorted = waited.toSorted((left, right) => left - right);
      return { p99: sorted[Math.floor(sorted.length * P99)] ?? 0, most: sorted.at(-1) ?? 0 };
    },
  };
};
