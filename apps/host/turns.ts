/**
 * Decides when long work lets other work run. The database and the core answer within the microtask
 * queue. So without a real pause all HTTP requests would wait until the work ends.
 */
import type { Turns } from "#lib/ports/ports.ts";

const TURN_MS_MAX = 5;

type GoOn = () => void;

/**
 * Waiting work continues one after another. If all of it continued together, each part could take
 * long and nothing else would run in between. Work that has used a whole turn waits in a queue of
 * its own. In each round one of that queue gets a turn, then the others share one, in order of
 * arrival. So a status request does not wait for a whole large template, and a large template does
 * not wait for thousands of visits.
 */
export const hostTurns = (): Turns => {
  let turnEnds = performance.now() + TURN_MS_MAX;
  const long: GoOn[] = [];
  const short: GoOn[] = [];
  let isTaking = false;
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

  /** Node runs everything that follows from one immediate before it calls the next one. */
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
