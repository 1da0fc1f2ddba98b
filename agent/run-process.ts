/**
 * One program as a process of its own group. Its output goes to files, not pipes: a daemon that it
 * leaves behind can keep them open without holding up the agent, and they survive the agent's death.
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

/** How long a program may take to end by itself when the agent is stopped. */
const STOP_MS_MAX = 5_000;

export interface RunPlace {
  readonly root: string;
  /** What programs inherit. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly stop: AbortSignal;
}

export interface Program {
  /** Of the derived config that it runs for. */
  readonly id: string;
  readonly path: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** A file that it reads as its standard input; nothing unless given. */
  readonly stdin?: string;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Answers the exit code, or as shells do 128 and the number of the signal that ended it. Throws what keeps it from starting. */
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
    return await endedOrStopped(ended, pid, place.stop);
  } finally {
    for (const file of [stdin, stdout, stderr]) if (file !== null) closeSync(file);
    rmSync(runningPath(place.root, id), { force: true });
  }
};

/** The ends of what a program has printed so far. */
export const printed = (root: string, id: string, bytesMax = UPLOAD_BYTES_MAX + 1): Printed => ({
  stdout: readEnd(logPath(root, id, "stdout"), bytesMax) ?? "",
  stderr: readEnd(logPath(root, id, "stderr"), bytesMax) ?? "",
});

/**
 * Ends a program that outlived the agent that started it, so that two never run at once. A process
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

/** Outputs lie beside it, each with its name at the end. */
export const outputsPath = (root: string, id: string): string => join(root, "outputs", id);
const runningPath = (root: string, id: string): string => join(root, "running", id);
const logPath = (root: string, id: string, stream: "stdout" | "stderr"): string =>
  join(root, "logs", `${id}.${stream}`);

/** When the agent is stopped its program goes with it, the whole group, first politely. */
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

/** A program may write without end, and only its end is read; null without such a file. */
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
