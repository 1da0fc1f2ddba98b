import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../apps/cli/hearth.ts", import.meta.url));
const READY_MS_MAX = 60_000;

export interface RestartedHost {
  ready(): Promise<string>;
  kill(): void;
  restart(): Promise<void>;
  stop(): Promise<number | null>;
}

interface HostProcess {
  readonly child: ChildProcess;
  readonly gone: Promise<unknown>;
  readonly readyUrl: Promise<string | null>;
}

const running = new Set<ChildProcess>();

/** No host survives this process, even if the test fails or is interrupted. */
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Runs the host with its data in `folder`, which also gets the log of its output. `env` extends
 * this process's environment. `place` is a command that runs the host somewhere else. `cli` is the
 * program: the sources, or a build.
 */
export const startHost = (
  folder: string,
  env: NodeJS.ProcessEnv = {},
  options: readonly string[] = [],
  place: readonly string[] = [],
  cli: string = CLI,
): RestartedHost => {
  const logFile = join(folder, "host.log");
  let port = "0";
  const start = () => spawnHost({ folder, port, logFile, env, options, place, cli });
  let host = start();
  return {
    ready: async () => {
      const url = await host.readyUrl;
      const { exitCode, signalCode } = host.child;
      if (exitCode !== null || signalCode !== null) {
        throw new Error(`the host ended by itself with ${exitCode ?? signalCode}; see ${logFile}`);
      }
      if (url === null) throw new Error(`the host was not ready in time; see ${logFile}`);
      port = new URL(url).port;
      return url;
    },
    kill: () => {
      host.child.kill("SIGKILL");
    },
    restart: async () => {
      host.child.kill("SIGKILL");
      await host.gone;
      host = start();
    },
    stop: async () => {
      host.child.kill("SIGTERM");
      await host.gone;
      return host.child.exitCode;
    },
  };
};

interface Spawned {
  readonly folder: string;
  readonly port: string;
  readonly logFile: string;
  readonly env: NodeJS.ProcessEnv;
  readonly options: readonly string[];
  readonly place: readonly string[];
  readonly cli: string;
}

const spawnHost = (spawned: Spawned): HostProcess => {
  const { folder, port, logFile, env, options, place, cli } = spawned;
  const log = openSync(logFile, "a");
  const serve = [cli, "serve", "--port", port, "--data", join(folder, "data"), ...options];
  const [program = process.execPath, ...words] = [...place, process.execPath, ...serve];
  const child = spawn(program, words, {
    stdio: ["ignore", "pipe", log],
    env: { ...process.env, ...env },
  });
  closeSync(log);
  running.add(child);
  const gone = once(child, "exit").then(() => running.delete(child));
  return { child, gone, readyUrl: readyUrlOf(child, logFile) };
};

const READY = /^Hearth is listening on (https?:\S+)$/;

/** Log lines can come first, because the host resumes its predecessor's work while it starts. */
const readyUrlOf = (child: ChildProcess, logFile: string): Promise<string | null> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), READY_MS_MAX);
    const answer = (url: string | null): void => {
      clearTimeout(timer);
      resolve(url);
    };
    if (child.stdout)
      createInterface({ input: child.stdout }).on("line", (line) => {
        appendFileSync(logFile, `${line}\n`);
        const url = READY.exec(line)?.[1];
        if (url !== undefined) answer(url);
      });
    child.once("exit", (code, signal) => {
      if (signal === null) appendFileSync(logFile, `The host ended with ${code}\n`);
      answer(null);
    });
  });
