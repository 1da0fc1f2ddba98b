/**
 * The demo's processes: the host, the agents and the commands. Their output is kept, and shown on
 * request. None of them outlives the demo.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import picocolors from "picocolors";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
/**
 * How long a process may take to stop: agents end their scripts first, the host its work in hand.
 */
const STOP_MS_MAX = 12_000;
/** The exit code that shells use. */
const EXIT_NOT_STARTED = 127;
const NAME_WIDTH = "hearth suspend".length;

export interface Start {
  readonly name: string;
  /** A file of the repository, and its arguments. */
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** How to show a line; null keeps it without showing it. */
  readonly show: (line: string) => string | null;
}

export interface RunningProcess {
  /** The output so far, of both streams. */
  readonly lines: readonly string[];
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

export interface Processes {
  /** Throws after stopAll: a demo that was interrupted starts nothing more. */
  start(start: Start): RunningProcess;
  /** Every line of the processes whose names begin with `name`. */
  linesOf(name: string): readonly string[];
  /** Stops all running processes, and resolves when they have ended. */
  stopAll(): Promise<void>;
}

/** `logFolder` gets a file for each process's lines, to find the cause of a failure. */
export const openProcesses = (logFolder: string): Processes => {
  const running = new Set<RunningProcess>();
  const state = { stopped: false };
  const lines: { readonly name: string; readonly line: string }[] = [];
  return {
    start: (start) => {
      if (state.stopped) throw new Error("the demo has been stopped");
      const keep = (line: string): void => {
        lines.push({ name: start.name, line });
        appendFileSync(join(logFolder, `${start.name}.log`), `${line}\n`);
        const shown = start.show(line);
        if (shown === null) return;
        console.log(`  ${picocolors.dim(`${start.name.padEnd(NAME_WIDTH)} |`)} ${shown}`);
      };
      const started = startProcess(start, keep);
      running.add(started);
      void started.ended.finally(() => running.delete(started));
      return started;
    },
    linesOf: (name) => lines.filter((kept) => kept.name.startsWith(name)).map(({ line }) => line),
    stopAll: async () => {
      state.stopped = true;
      const left = [...running];
      for (const each of left) each.kill("SIGTERM");
      const waited = new AbortController();
      const impatience = pause(STOP_MS_MAX, undefined, { signal: waited.signal }).then(
        () => {
          for (const each of left) each.kill("SIGKILL");
        },
        () => undefined,
      );
      await Promise.all(left.map(({ ended }) => ended));
      waited.abort();
      await impatience;
    },
  };
};

const startProcess = (
  { program, args, environment }: Start,
  keep: (line: string) => void,
): RunningProcess => {
  // This very Node: the `node` in PATH can be another one.
  const child = spawn(process.execPath, [join(REPOSITORY, program), ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    readLines(stream, (line) => {
      lines.push(line);
      keep(line);
    });
  }
  return { lines, ended: endOf(child), kill: (signal) => child.kill(signal) };
};

const readLines = (stream: Readable, take: (line: string) => void): void => {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", take);
};

/** Resolves after the last line: "close" comes when the streams have ended too. */
const endOf = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve) => {
    child.once("error", () => resolve(EXIT_NOT_STARTED));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
  });
