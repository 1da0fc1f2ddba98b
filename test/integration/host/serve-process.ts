import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { COMPILED, HEARTH } from "../../hearth-program.ts";

export interface ServeProcess {
  readonly url: string;
  readonly ready: string;
  agentsUrl(): Promise<string>;
  lines(): readonly string[];
  signal(signal: NodeJS.Signals): void;
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export const startServe = (...options: readonly string[]): Promise<ServeProcess> =>
  startLogging("silent", ...options);

export const startLogging = async (
  level: string,
  ...options: readonly string[]
): Promise<ServeProcess> => {
  const child = spawn(process.execPath, [HEARTH, "serve", "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...COMPILED, HEARTH_LOG: level },
  });
  const lines: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const agentsUrl = agentsLine(child);
  const ready = await firstLine(child);
  const url = URL_TEXT.exec(ready)?.[0] ?? "";
  return {
    url,
    ready,
    agentsUrl: () => agentsUrl,
    lines: () => [...lines],
    signal: (signal) => void child.kill(signal),
    stop: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
};

const URL_TEXT = /https?:\/\/\S+/;

const agentsLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("Agents only: ")) resolve(URL_TEXT.exec(line)?.[0] ?? "");
    });
  });

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error("the process has no output"));
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`it ended with ${code} before it was ready`)));
  });
