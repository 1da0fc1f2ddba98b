/** Does long work in steps, and lets other requests go on between them. */
import type { Ports } from "#lib/ports/ports.ts";

export type TurnPorts = Pick<Ports, "turns">;

export const inTurns = async <T>(
  ports: TurnPorts,
  steps: Generator<unknown, T, undefined>,
): Promise<T> => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    // Most steps need none, and even an await of null takes its time.
    const pause = pauseIfDue(ports);
    if (pause !== null) await pause;
  }
};

/** Between two steps of work that has other awaits. */
export const pauseIfDue = ({ turns }: TurnPorts): Promise<void> | null => turns?.pause() ?? null;
