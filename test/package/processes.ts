/** The programs that keep running: the installed host, and agents. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Installed } from "./installed.ts";

const READY = /Hearth is listening on (\S+)/;

export interface Running {
  /** What it has printed on standard error so far. */
  readonly errors: () => string;
  /** Ends it with SIGTERM, and returns its exit code. */
  stop(): Promise<number | null>;
}

const running = (child: ChildProcess): Running => {
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const closed = once(child, "close");
  return {
    errors: () => errors,
    stop: async () => {
      child.kill("SIGTERM");
      await closed;
      return child.exitCode;
    },
  };
};

export const startProgram = (
  { folder, environment }: Installed,
  program: string,
  words: readonly string[],
): Running =>
  running(
    spawn(program, words, { cwd: folder, env: environment, stdio: ["ignore", "ignore", "pipe"] }),
  );

/** Resolves when the host listens. Throws if it ends before. */
export const startServing = async (
  { folder, environment }: Installed,
  words: readonly string[],
): Promise<Running & { readonly url: string }> => {
  const env = { ...environment, HEARTH_LOG: "off" };
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn("hearth", ["serve", "--port", "0", ...words], {
    cwd: folder,
    env,
    stdio: [...stdio],
  });
  const host = running(child);
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const [, found] = READY.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`the host ended: ${host.errors()}`)));
  });
  return { ...host, url };
};
