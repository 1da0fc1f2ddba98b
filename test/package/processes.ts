import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { killedAtExit, signalGroup } from "../agents/process-groups.ts";
import type { Installed } from "./installed.ts";

const READY = /Hearth is listening on (\S+)/;
const READY_MS_MAX = 60_000;
const STOP_MS_MAX = 30_000;

export interface Running {
  readonly errors: () => string;
  /** Sends SIGTERM. @returns the exit code, or null if only SIGKILL could end the process. */
  stop(): Promise<number | null>;
  ended(): Promise<number | null>;
}

const running = (started: ChildProcess): Running => {
  const child = killedAtExit(started);
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const closed = once(child, "close");
  const ended = async (): Promise<number | null> => {
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), STOP_MS_MAX);
    await closed.finally(() => clearTimeout(timer));
    return child.exitCode;
  };
  return {
    errors: () => errors,
    stop: () => {
      child.kill("SIGTERM");
      return ended();
    },
    ended,
  };
};

export const startProgram = (
  { folder, environment }: Installed,
  program: string,
  words: readonly string[],
): Running =>
  running(
    spawn(program, words, {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    }),
  );

export const startServing = async (
  { folder, environment }: Installed,
  words: readonly string[],
): Promise<Running & { readonly url: string }> => {
  const env = { ...environment, HEARTH_LOG: "silent" };
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn("hearth", ["serve", "--port", "0", ...words], {
    cwd: folder,
    env,
    stdio: [...stdio],
    detached: true,
  });
  const host = running(child);
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), READY_MS_MAX);
    child.stdout?.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const [, found] = READY.exec(text) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    child.once("close", () => {
      clearTimeout(timer);
      reject(new Error(`the host ended: ${host.errors()}`));
    });
  });
  return { ...host, url };
};
