/**
 * When long work gives others a turn. The database and the core answer without leaving the
 * microtask queue, so without a real pause they would keep all HTTP requests waiting.
 */
import type { Turns } from "#lib/ports/turns.ts";

/** How long one turn may keep the process. */
const TURN_MS_MAX = 5;

export const hostTurns = (): Turns => {
  let turnEnds = performance.now() + TURN_MS_MAX;
  let pause: Promise<void> | null = null;
  return {
    pause: () => {
      if (pause === null && performance.now() >= turnEnds) {
        pause = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          pause = null;
          turnEnds = performance.now() + TURN_MS_MAX;
        });
      }
      return pause;
    },
  };
};
