/** The two parts of the lane, each a process of its own: a host waits while the other asks. */
import { spawn } from "node:child_process";
import { once } from "node:events";

const PARTS = ["host", "provider"] as const;
const PASSED = /^(\d+) passed, \d+ failed$/m;
const FAILED = /^\d+ passed, (\d+) failed$/m;
const LEFT = /^objects left over: (\d+)$/m;

interface Ended {
  readonly code: unknown;
  readonly text: string;
}

const playPart = async (options: readonly string[]): Promise<Ended> => {
  const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => child.kill("SIGTERM"));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  const [code] = await once(child, "close");
  return { code, text };
};

/** Prints what each has printed, and their sums. A part that says nothing makes them NaN. */
export const playParts = async (program: readonly string[]): Promise<boolean> => {
  const ended = await Promise.all(PARTS.map((part) => playPart([...program, "--only", part])));
  for (const { text } of ended) console.log(text.trimEnd());
  const sum = (pattern: RegExp): number =>
    ended.reduce((all, { text }) => all + Number(pattern.exec(text)?.[1]), 0);
  console.log(`objects left over: ${sum(LEFT)}`);
  console.log(`${sum(PASSED)} passed, ${sum(FAILED)} failed`);
  return ended.every(({ code }) => code === 0);
};
