/** Pretend servers are process groups of their own, so that a power cut takes all that runs on one. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const running = new Set<ChildProcess>();

/** The groups of those that this process started, also when it fails or is interrupted. */
process.on("exit", () => {
  for (const child of running) signalGroup(child, "SIGKILL");
});

/** For a child that was started `detached`: it leads its group. */
export const minded = <Child extends ChildProcess>(child: Child): Child => {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
};

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** A group that is gone already is no error. */
export const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
};

export const killGroup = async (child: ChildProcess | undefined): Promise<void> => {
  if (child === undefined || isGone(child)) return;
  const ended = once(child, "exit");
  signalGroup(child, "SIGKILL");
  await ended;
};
