import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const AGENT = fileURLToPath(new URL("../../../apps/agent/hearth-agent.ts", import.meta.url));

export interface AgentProcess {
  readonly printed: () => string;
  /** Closes the agent's log, as a restart of the log service does. */
  readonly stopReading: () => void;
  readonly ended: () => Promise<number | null>;
  readonly kill: (signal: "SIGTERM" | "SIGINT" | "SIGKILL") => Promise<number | null>;
  readonly signal: (signal: "SIGTERM") => void;
}

export const freshRoot = (): string => mkdtempSync(join(tmpdir(), "hearth-agent-"));

export const removeRoot = (root: string): void => rmSync(root, { recursive: true, force: true });

export const startAgent = (
  metadataUrl: string,
  root: string,
  ...more: readonly string[]
): AgentProcess => startProgram(AGENT, metadataUrl, root, ...more);

export const startProgram = (
  program: string,
  metadataUrl: string,
  root: string,
  ...more: readonly string[]
): AgentProcess => {
  const options = ["--metadata-url", metadataUrl, "--root", root];
  const fast = ["--interval-ms", "25", "--retry-ms", "2"];
  const child = spawn(process.execPath, [program, ...options, ...fast, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  const ended = once(child, "exit");
  return {
    printed: () => printed,
    stopReading: () => child.stdout.destroy(),
    ended: async () => {
      await ended;
      return child.exitCode;
    },
    signal: (signal) => void child.kill(signal),
    kill: async (signal) => {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
};

export const runLines = (root: string): unknown[] => {
  const path = join(root, "runs.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
};
