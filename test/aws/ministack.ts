/** MiniStack, an AWS emulator from PyPI, in its own venv and process, on a free loopback port. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../lanes/free-port.ts";
import { pythonProgram } from "../lanes/python-program.ts";
import { eventually } from "./eventually.ts";
import { openWire, type Wire } from "./wire.ts";

const VERSION = "1.5.33";
const START = fileURLToPath(new URL("ministack-start.py", import.meta.url));
const START_MS_MAX = 30_000;
const STOP_MS_MAX = 10_000;

export interface Worker {
  readonly pid: number;
  readonly command: string;
}

export interface Emulator {
  readonly endpoint: string;
  /**
   * The certificate of the TLS endpoint. With TLS, every function has only the rights of its role.
   */
  readonly certificate?: string;
  readonly wire?: Wire;
  workers(): readonly Worker[];
  /**
   * The folders of all workers ever seen, because the emulator forgets workers that a deployment
   * has replaced.
   */
  lookForWorkers(): readonly string[];
  failedStarts(): readonly string[];
  stop(): Promise<void>;
}

const run = promisify(execFile);

/**
 * MiniStack makes its certificate with openssl. Without one, requests fail the TLS conditions of
 * the roles.
 */
const hasOpenssl = (): Promise<boolean> =>
  run("openssl", ["version"]).then(
    () => true,
    () => false,
  );

const trust = (certificate: string): void => {
  if (!existsSync(certificate)) return;
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(certificate, "utf8")]);
};

export const startMinistack = async (venv: string, folder: string): Promise<Emulator> => {
  const program = await pythonProgram(`${venv}-${VERSION}`, `ministack==${VERSION}`, "ministack");
  const port = await freePort();
  const workers = join(folder, "workers");
  const strict = await hasOpenssl();
  const endpoint = `${strict ? "https" : "http"}://127.0.0.1:${port}`;
  mkdirSync(workers, { recursive: true });
  const certificate = join(workers, "ministack-tls", "server.crt");
  const logFile = join(folder, "ministack.log");
  const log = openSync(logFile, "a");
  const wire = strict ? await openWire(endpoint) : null;
  const child = spawn(join(dirname(program), "python"), [START], {
    stdio: ["ignore", log, log],
    env: {
      PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      HOME: folder,
      TMPDIR: workers,
      GATEWAY_PORT: String(port),
      BIND_HOST: "127.0.0.1",
      LAMBDA_EXECUTOR: "local",
      ...(strict ? { USE_SSL: "1", AUTH: "true" } : {}),
      ...(wire ? { AWS_ENDPOINT_URL: wire.endpoint } : {}),
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
  });
  /** A lane may end at once, as by a signal. Then nothing of the emulator may stay. */
  const end = (): void => {
    child.kill("SIGKILL");
    for (const { pid } of workersIn(workers)) endProcess(pid);
  };
  process.once("exit", end);
  await eventually("MiniStack answers", START_MS_MAX, async () => {
    if (strict) trust(certificate);
    if (child.exitCode !== null) throw new Error(`MiniStack ended with ${child.exitCode}`);
    try {
      return (await fetch(`${endpoint}/_ministack/health`)).status < 500 ? true : null;
    } catch {
      return null;
    }
  });
  const seen = new Set<string>();
  return {
    endpoint,
    ...(strict ? { certificate } : {}),
    ...(wire ? { wire } : {}),
    workers: () => workersIn(workers),
    lookForWorkers: () => {
      for (const name of readdirSync(workers)) if (name.startsWith(WORKER_FOLDER)) seen.add(name);
      return [...seen];
    },
    failedStarts: () => readFileSync(logFile, "utf8").match(/^start \d of .* failed .*$/gm) ?? [],
    stop: async () => {
      await stop(child, workers);
      process.off("exit", end);
      wire?.close();
    },
  };
};

const WORKER_FOLDER = "ministack-lambda-";

/** MiniStack starts each worker with a script in a folder named after the function. */
const workersIn = (folder: string): readonly Worker[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), command: commandLine(pid) }))
    .filter(({ command }) => command.includes(folder));

const commandLine = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

const stop = async (child: ChildProcess, workers: string): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await new Promise<void>((resolve) => child.once("exit", () => resolve()));
    clearTimeout(timer);
  }
  for (const { pid } of workersIn(workers)) endProcess(pid);
};

export const endProcess = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
};
