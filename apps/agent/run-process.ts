/**
 * Runs one program in its own process group. Its output goes to files, not pipes: a daemon that it
 * starts can keep files open without blocking the agent, and files survive the agent's death.
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

const STOP_MS_MAX = 5_000;

export interface RunPlace {
  readonly root: string;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly stop: AbortSignal;
  readonly cut?: AbortSignal;
}

export interface Program {
  readonly id: string;
  readonly path: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * @returns the exit code, or like a shell 128 plus the number of the signal that ended the program
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

export const printed = (root: string, id: string, bytesMax = UPLOAD_BYTES_MAX + 1): Printed => ({
  stdout: readEnd(logPath(root, id, "stdout"), bytesMax) ?? "",
  stderr: readEnd(logPath(root, id, "stderr"), bytesMax) ?? "",
});

/**
 * Kills a program that outlived its agent, so that two programs never run at once. The system may
 * have reused the process id, so the process's environment must prove its origin. Only Linux shows
 * that; elsewhere the process is left alone.
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

export const outputsPath = (root: string, id: string): string => join(root, "outputs", id);
const runningPath = (root: string, id: string): string => join(root, "running", id);
const logPath = (root: string, id: string, stream: "stdout" | "stderr"): string =>
  join(root, "logs", `${id}.${stream}`);

/**
 * If the agent stops or this run must end, the program's whole group gets SIGTERM, then SIGKILL.
 * Child processes may outlive the program, so the run is over when its group is.
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

const endGroup = async (pid: number): Promise<void> => {
  const looksMax = STOP_MS_MAX / GROUP_LOOK_MS;
  for (let looks = 0; looks < looksMax && killGroup(pid, 0); looks += 1) await pause(GROUP_LOOK_MS);
  killGroup(pid, "SIGKILL");
};

const killGroup = (pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
};

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
