/**
 * When long work gives others a turn. The database and the core answer without leaving the
 * microtask queue, so without a real pause they would keep all HTTP requests waiting.
 */
import type { Turns } from "#lib/ports/turns.ts";

/** How long one turn may keep the process. */
const TURN_MS_MAX = 5;

/**
 * Those who wait go on one after the other, as far as the turn lasts. If all went on together, each
 * could take long, and nobody else would come between.
 */
export const hostTurns = (): Turns => {
  let turnEnds = performance.now() + TURN_MS_MAX;
  let waiting: (() => void)[] = [];

  const wait = (goOn: () => void): void => {
    if (waiting.length === 0) setImmediate(takeTurn);
    waiting.push(goOn);
  };

  /** Node runs all that follows from one immediate before it calls the next one. */
  const takeTurn = (): void => {
    const [first, ...others] = waiting;
    waiting = [];
    setImmediate(() => {
      turnEnds = performance.now() + TURN_MS_MAX;
      first?.();
    });
    for (const goOn of others) {
      setImmediate(() => {
        if (performance.now() < turnEnds) goOn();
        else wait(goOn);
      });
    }
  };

  return {
    pause: () => (performance.now() < turnEnds ? null : new Promise<void>(wait)),
  };
};
