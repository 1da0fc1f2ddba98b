import { spawn } from "node:child_process";
import { once } from "node:events";
import { killedAtExit, signalGroup } from "../agents/process-groups.ts";

export interface RunOptions {
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly msMax?: number;
}

export interface RunEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const RUN_MS_MAX = 60_000;

/** At the limit, all descendants are killed too, because they may keep the output open. */
export const run = async (
  program: string,
  words: readonly string[],
  { cwd, environment = process.env, msMax = RUN_MS_MAX }: RunOptions,
): Promise<RunEnd> => {
  const child = killedAtExit(
    spawn(program, words, {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    }),
  );
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), msMax);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await once(child, "close").finally(() => clearTimeout(timer));
  return { code: child.exitCode, stdout, stderr };
};
