import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Random } from "#lib/ports/ports.ts";
import type { Tally } from "../crash/tally.ts";
import { COMPILED } from "../hearth-program.ts";

const SOURCE = fileURLToPath(new URL("./lossy-disk.c", import.meta.url));
const WORDS = "-shared -fPIC -O2 -Wall -Werror".split(" ");

export const compileDisk = (folder: string): string | null => {
  if (process.platform !== "linux" || spawnSync("cc", ["--version"]).status !== 0) return null;
  const library = join(folder, "lossy-disk.so");
  const words = [...WORDS, "-o", library, SOURCE, "-ldl", "-lpthread"];
  const { status, stderr } = spawnSync("cc", words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the disk was not compiled: ${stderr}`);
  return library;
};

export interface Disk {
  readonly library: string;
  readonly root: string;
  readonly journal: string;
}

export interface Cuts extends Pick<Disk, "library"> {
  readonly folder: string;
  readonly cuts: number;
  readonly random: Random;
  readonly tally: Tally;
}

export interface CutPlan {
  readonly after: number;
  /** Operations are counted from here: the start of the program, or a call of `arm`. */
  readonly from: "start" | "arm";
}

export interface LossyProgram {
  readonly gone: Promise<unknown>;
  /**
   * Waits for a line that matches, and returns the pattern's group. @returns null if the program
   * ended before.
   */
  waitFor(pattern: RegExp): Promise<string | null>;
  arm(): void;
  isGone(): boolean;
  wasCut(): boolean;
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export const startLossy = (
  disk: Disk,
  plan: CutPlan | null,
  words: readonly string[],
  logFile: string,
): LossyProgram => {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, words, {
    stdio: ["ignore", "pipe", log],
    env: {
      ...process.env,
      ...COMPILED,
      LD_PRELOAD: disk.library,
      DISK_ROOT: disk.root,
      DISK_JOURNAL: disk.journal,
      ...(plan === null ? {} : { DISK_CUT: String(plan.after) }),
      ...(plan?.from === "arm" ? { DISK_WAITS: "1" } : {}),
    },
  });
  closeSync(log);
  running.add(child);
  const lines: string[] = [];
  const { stdout } = child;
  if (stdout === null) throw new Error("the program has no output");
  const output = createInterface({ input: stdout });
  output.on("line", (line) => {
    lines.push(line);
    appendFileSync(logFile, `${line}\n`);
  });
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const gone = once(child, "exit").then(() => running.delete(child));
  return {
    gone,
    isGone,
    wasCut: () => child.signalCode === "SIGKILL",
    waitFor: async (pattern) => {
      for (;;) {
        const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
        if (found) return found[1] ?? "";
        if (isGone()) return null;
        await Promise.race([once(output, "line"), gone]);
      }
    },
    arm: () => {
      if (!isGone()) child.kill("SIGUSR2");
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
};
