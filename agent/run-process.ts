/**
 * One program in its own process group. Its output goes to files, not pipes. A daemon that it
 * starts can keep them open without blocking the agent, and they survive the agent's death.
 */
import { spawn } from "node:child_process";
import {
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
import { UPLOAD_BYTES_MAX } from "./upload.ts";

/** How long a program may take to end after SIGTERM. */
const STOP_MS_MAX = 5_000;

export interface RunPlace {
  readonly root: string;
  /** The environment that programs inherit. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly stop: AbortSignal;
  /** Ends this run only; absent: nothing does. */
  readonly cut?: AbortSignal;
}

export interface Program {
  /** The derived config's id. */
  readonly id: string;
  readonly path: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** A file for standard input; absent: no input. */
  readonly stdin?: string;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Returns the exit code, or like a shell 128 plus the number of the signal that ended the program.
 * Throws if the program cannot start.
 */
export const runProcess = async (program: Program, place: RunPlace): Promise<number> => {
  const { id, path, inputs = {} } = program;
  const stdin = program.stdin === undefined ? null : openSync(program.stdin, "r");
  const stdout = openSync(logPath(place.root, id, "stdout"), "w", 0o600);
  const stderr = openSync(logPath(place.root, id, "stderr"), "w", 0o600);
  try {
    const child = spawn(path, [], {
      cwd: place.root,
      env: { ...place.environment, ...inputs, heat_outputs_path: outputsPath(place.root, id) },
      detached: true,
      stdio: [stdin ?? "ignore", stdout, stderr],
    });
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
    const { pid } = child;
    if (pid === undefined) return await ended;
    writeFileSync(runningPath(place.root, id), String(pid));
    const stop = AbortSignal.any([place.stop, ...(place.cut === undefined ? [] : [place.cut])]);
    return await endedOrStopped(ended, pid, stop);
  } finally {
    for (const file of [stdin, stdout, stderr]) if (file !== null) closeSync(file);
    rmSync(runningPath(place.root, id), { force: true });
  }
};

/** The end of the output so far. */
export const printed = (root: string, id: string, bytesMax = UPLOAD_BYTES_MAX + 1): Printed => ({
  stdout: readEnd(logPath(root, id, "stdout"), bytesMax) ?? "",
  stderr: readEnd(logPath(root, id, "stderr"), bytesMax) ?? "",
});

/**
 * Kills a program that outlived its agent, so that two programs never run at once. The system may
 * have reused the process id, so the process's environment must prove its origin. Only Linux can
 * show it; elsewhere the process is left alone.
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

/** A prefix: each output is in a file whose name adds the output's name. */
export const outputsPath = (root: string, id: string): string => join(root, "outputs", id);
const runningPath = (root: string, id: string): string => join(root, "running", id);
const logPath = (root: string, id: string, stream: "stdout" | "stderr"): string =>
  join(root, "logs", `${id}.${stream}`);

/**
 * If the agent stops, or this run is to end, the program's whole group gets SIGTERM, then SIGKILL.
 * What the program has started may outlive it, so the run is over when its group is.
 */
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
    if (stop.aborted) await endGroup(pid);
  }
};

const GROUP_LOOK_MS = 20;

/** Its members have had SIGTERM, and get the same time as the program. */
const endGroup = async (pid: number): Promise<void> => {
  const looksMax = STOP_MS_MAX / GROUP_LOOK_MS;
  for (let looks = 0; looks < looksMax && killGroup(pid, 0); looks += 1) await pause(GROUP_LOOK_MS);
  killGroup(pid, "SIGKILL");
};

/** False: the group is empty. Signal 0 only looks. */
const killGroup = (pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
};

/** A program may write any amount, so only the end is read. Null: no such file. */
export const readEnd = (path: string, bytesMax: number): string | null => {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, bytesMax));
      const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString("utf8", 0, read);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
};
