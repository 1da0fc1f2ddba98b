import { spawn } from "node:child_process";
import { once } from "node:events";
import { COMPILED, HEARTH } from "../../hearth-program.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HearthProcess {
  readonly ended: Promise<Ended>;
  /** Ends when standard output has this text. */
  readonly printed: (text: string) => Promise<void>;
  readonly interrupt: () => void;
  /** Standard input has this text, and ends. It is empty for a command that reads none. */
  readonly type: (text: string) => void;
  /** Closes the pipe early, as `head` does. */
  readonly stopReading: () => void;
}

export const startHearth = (endpoint: string, ...options: readonly string[]): HearthProcess =>
  startWith({}, endpoint, ...options);

export const startWith = (
  environment: Readonly<Record<string, string>>,
  endpoint: string,
  ...options: readonly string[]
): HearthProcess => {
  const own = {
    HEARTH_ENDPOINT: endpoint,
    HEARTH_TOKEN: "secret",
    XDG_CONFIG_HOME: "/nonexistent",
  };
  const given = { ...own, ...environment };
  const child = spawn(process.execPath, [HEARTH, ...options], {
    env: { PATH: process.env["PATH"], ...COMPILED, ...given },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return {
    ended: once(child, "close").then(() => ({ code: child.exitCode, stdout, stderr })),
    printed: async (text: string) => {
      while (!stdout.includes(text)) await once(child.stdout, "data");
    },
    interrupt: () => void child.kill("SIGINT"),
    type: (text) => child.stdin.end(text),
    stopReading: () => child.stdout.destroy(),
  };
};

export const hearth = (endpoint: string, ...options: readonly string[]): Promise<Ended> =>
  startHearth(endpoint, ...options).ended;

export const hearthWith = (
  environment: Readonly<Record<string, string>>,
  endpoint: string,
  ...options: readonly string[]
): Promise<Ended> => startWith(environment, endpoint, ...options).ended;
