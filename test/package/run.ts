/** A program as a process: its exit code and its output. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface RunOptions {
  readonly cwd: string;
  /** Absent: that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly msMax?: number;
}

export interface RunEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const RUN_MS_MAX = 60_000;

export const run = async (
  program: string,
  words: readonly string[],
  { cwd, environment = process.env, msMax = RUN_MS_MAX }: RunOptions,
): Promise<RunEnd> => {
  const child = spawn(program, words, {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: msMax,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await once(child, "close");
  return { code: child.exitCode, stdout, stderr };
};
