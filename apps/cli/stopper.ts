/** Ends a wait before the operation ends: on Ctrl-C, or after --wait-timeout. */
import { EXIT_FAILED, EXIT_INTERRUPTED } from "./failure.ts";
import { ageText } from "./print.ts";
import type { Session } from "./session.ts";

export interface Stopper {
  readonly signal: AbortSignal;
  readonly why: () => string;
  readonly exitCode: () => number;
  readonly close: () => void;
}

export const openStopper = ({ waitMsMax }: Pick<Session, "waitMsMax">): Stopper => {
  const stopper = new AbortController();
  let isLate = false;
  const interrupt = (): void => stopper.abort();
  const giveUp = (): void => {
    isLate = true;
    stopper.abort();
  };
  process.once("SIGINT", interrupt);
  const timer = waitMsMax === null ? undefined : setTimeout(giveUp, waitMsMax);
  return {
    signal: stopper.signal,
    why: () => (isLate ? `Stopped waiting after ${ageText(waitMsMax ?? 0)}` : "Stopped waiting"),
    exitCode: () => (isLate ? EXIT_FAILED : EXIT_INTERRUPTED),
    close: () => {
      clearTimeout(timer);
      process.off("SIGINT", interrupt);
    },
  };
};
