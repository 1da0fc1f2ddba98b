/** Each pretend server is a process group, so that a power cut kills everything that runs on it. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const running = new Set<ChildProcess>();

/** This also kills the groups of a run that fails or is interrupted. */
process.on("exit", () => {
  for (const child of running) signalGroup(child, "SIGKILL");
});

/** The child must be started with `detached`, so that it leads its group. */
export const killedAtExit = <Child extends ChildProcess>(child: Child): Child => {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
};

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

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
