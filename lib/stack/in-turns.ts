/** Does long work in steps, so that other requests are served in between. */
import type { Ports } from "#lib/ports/ports.ts";

export type TurnPorts = Pick<Ports, "turns">;

export const inTurns = async <T>(
  ports: TurnPorts,
  steps: Generator<unknown, T, undefined>,
): Promise<T> => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    // Most steps need no pause, and even an await of null takes time.
    const pause = pauseIfDue(ports);
    if (pause !== null) await pause;
  }
};

export const pauseIfDue = ({ turns }: TurnPorts): Promise<void> | null => turns?.pause() ?? null;
