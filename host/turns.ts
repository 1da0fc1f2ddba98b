/**
 * When long work gives others a turn. The database and the core answer without leaving the
 * microtask queue, so without a real pause they would keep all HTTP requests waiting.
 */
import type { Turns } from "#lib/ports/turns.ts";

/** How long one turn may keep the process. */
const TURN_MS_MAX = 5;

type GoOn = () => void;

/**
 * Those who wait go on one after the other. If all went on together, each could take long, and
 * nobody else would come between. Work that has used a whole turn waits apart. One of it gets
 * a turn, and then the others share one, in the order in which they came. So a status request does
 * not wait for all of a large template, nor a large template for thousands of visits.
 */
export const hostTurns = (): Turns => {
  let turnEnds = performance.now() + TURN_MS_MAX;
  const long: GoOn[] = [];
  const short: GoOn[] = [];
  let isTaking = false;
  /** When the work that goes on now did so. Null: no work that has waited. */
  let began: number | null = null;

  const wait = (goOn: GoOn): void => {
    const usedAll = began !== null && performance.now() - began >= TURN_MS_MAX;
    (usedAll ? long : short).push(goOn);
    if (!isTaking) setImmediate(takeTurns);
    isTaking = true;
  };

  const goOnIn = (turn: "a new turn" | "this turn", waiting: GoOn[]): void => {
    began = performance.now();
    if (turn === "a new turn") turnEnds = began + TURN_MS_MAX;
    if (began < turnEnds) waiting.shift()?.();
  };

  /** Node runs all that follows from one immediate before it calls the next one. */
  const takeTurns = (): void => {
    setImmediate(goOnIn, "a new turn", long);
    setImmediate(goOnIn, "a new turn", short);
    for (let others = short.length - 1; others > 0; others--)
      setImmediate(goOnIn, "this turn", short);
    setImmediate(() => {
      began = null;
      isTaking = long.length + short.length > 0;
      if (isTaking) setImmediate(takeTurns);
    });
  };

  return {
    pause: () => (performance.now() < turnEnds ? null : new Promise<void>(wait)),
  };
};
