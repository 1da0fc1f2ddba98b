/**
 * One script as a process of its own group. Its output goes to files, not pipes: a daemon that it
 * leaves behind can keep them open without holding up the agent, and they survive the agent's death.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Deployment } from "./document.ts";
import { failureCode } from "./json.ts";
import { BODY_BYTES_MAX, type Outcome } from "./signal.ts";

/** How long a script may take to end by itself when the agent is stopped. */
const STOP_MS_MAX = 5_000;

export interface ScriptPlace {
  readonly root: string;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly stop: AbortSignal;
}

/** Runs to the script's end; null when the agent was stopped before it. What cannot start counts as exit code 1. */
export const runScript = async (
  { id, inputs, outputs }: Deployment,
  script: string,
  place: ScriptPlace,
): Promise<Outcome | null> => {
  const path = join(place.root, "scripts", id);
  const environment = {
    ...place.environment,
    ...Object.fromEntries(inputs),
    heat_outputs_path: outputsPath(place.root, id),
  };
  try {
    writeFileSync(path, script, { mode: 0o700 });
    // The mode above is subject to the umask and to a file that is already there.
    chmodSync(path, 0o700);
    const exitCode = await execute(path, id, environment, place);
    return place.stop.aborted
      ? null
      : { exitCode, ...printed(place.root, id), outputs: readOutputs(place.root, id, outputs) };
  } catch (error) {
    const stderr = `The script could not be run: ${failureCode(error)}`;
    return { exitCode: 1, stdout: "", stderr, outputs: {} };
  } finally {
    rmSync(runningPath(place.root, id), { force: true });
  }
};

/** The ends of what a script has printed so far. */
export const printed = (root: string, id: string): Pick<Outcome, "stdout" | "stderr"> => ({
  stdout: readEnd(logPath(root, id, "stdout")) ?? "",
  stderr: readEnd(logPath(root, id, "stderr")) ?? "",
});

/**
 * Ends a script that outlived the agent that started it, so that two never run at once. A process
 * id alone can have been reused; the environment says whose it is (on Linux, elsewhere it is let be).
 */
export const killOrphan = (root: string, id: string): boolean => {
  try {
    const pid = Number(readFileSync(runningPath(root, id), "utf8"));
    rmSync(runningPath(root, id), { force: true });
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    if (!environment.includes(`heat_outputs_path=${outputsPath(root, id)}`)) return false;
    return killGroup(pid, "SIGKILL");
  } catch {
    return false;
  }
};

const outputsPath = (root: string, id: string): string => join(root, "outputs", id);
const runningPath = (root: string, id: string): string => join(root, "running", id);
const logPath = (root: string, id: string, stream: "stdout" | "stderr"): string =>
  join(root, "logs", `${id}.${stream}`);

const execute = async (
  path: string,
  id: string,
  env: NodeJS.ProcessEnv,
  { root, stop }: ScriptPlace,
): Promise<number> => {
  const stdout = openSync(logPath(root, id, "stdout"), "w", 0o600);
  const stderr = openSync(logPath(root, id, "stderr"), "w", 0o600);
  try {
    const child = spawn(path, [], {
      cwd: root,
      env,
      detached: true,
      stdio: ["ignore", stdout, stderr],
    });
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
    const { pid } = child;
    if (pid === undefined) return await ended;
    writeFileSync(runningPath(root, id), String(pid));
    return await endedOrStopped(ended, pid, stop);
  } finally {
    closeSync(stdout);
    closeSync(stderr);
  }
};

/** When the agent is stopped its script goes with it, the whole group, first politely. */
const endedOrStopped = async (
  ended: Promise<number>,
  pid: number,
  stop: AbortSignal,
): Promise<number> => {
  const waited = new AbortController();
  const stopped = async () => {
    killGroup(pid, "SIGTERM");
    await pause(STOP_MS_MAX, undefined, { signal: waited.signal }).catch(() => undefined);
    killGroup(pid, "SIGKILL");
  };
  const onStop = () => void stopped();
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await ended;
  } finally {
    stop.removeEventListener("abort", onStop);
    waited.abort();
  }
};

const killGroup = (pid: number, signal: "SIGTERM" | "SIGKILL"): boolean => {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
};

/** A declared output is the content of `$heat_outputs_path.NAME`; one without a file is absent, as with the stock hook. */
const readOutputs = (
  root: string,
  id: string,
  names: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names
      .map((name) => [name, readEnd(`${outputsPath(root, id)}.${name}`)] as const)
      .filter((entry): entry is readonly [string, string] => entry[1] !== null),
  );

/** No more than a byte over what a signal can carry, since a script may write without end; null without such a file. */
const readEnd = (path: string): string | null => {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, BODY_BYTES_MAX + 1));
      const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString("utf8", 0, read);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
};
