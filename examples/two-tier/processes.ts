import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import picocolors from "picocolors";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
/** Agents end their scripts before they stop, and the host ends its current work. */
const STOP_MS_MAX = 12_000;
const EXIT_NOT_STARTED = 127;
const NAME_WIDTH = "hearth suspend".length;

export interface Start {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly show: (line: string) => string | null;
}

export interface RunningProcess {
  readonly lines: readonly string[];
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

export interface Processes {
  /** Throws after stopAll: a demo that was interrupted starts nothing more. */
  start(start: Start): RunningProcess;
  linesOf(name: string): readonly string[];
  stopAll(): Promise<void>;
}

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
  // The `node` in PATH can be another version.
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

/** "close" comes after both streams have ended, so no line is lost. */
const endOf = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve) => {
    child.once("error", () => resolve(EXIT_NOT_STARTED));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
  });
