/** The parts of the lane, each in a process of its own, because hosts mostly wait. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { figuresIn, figuresLine } from "../lanes/figures.ts";

export const PARTS: readonly string[] = ["host", "provider", "kills"];
const PASSED = /^(\d+) passed, \d+ failed$/m;
const FAILED = /^\d+ passed, (\d+) failed$/m;

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

const withoutFigures = (text: string): string => text.replaceAll(/^faults injected: .*\n/gm, "");

/** Prints the output of each part, and the sums. A part without figures makes the sums NaN. */
export const playParts = async (program: readonly string[]): Promise<boolean> => {
  const ended = await Promise.all(PARTS.map((part) => playPart([...program, "--only", part])));
  const figures = ended.map(({ text }) => figuresIn(text));
  for (const { text } of ended) console.log(withoutFigures(text).trimEnd());
  const sum = (pattern: RegExp): number =>
    ended.reduce((all, { text }) => all + Number(pattern.exec(text)?.[1]), 0);
  const total = (name: "faults" | "left"): number =>
    figures.reduce((all, one) => all + (one?.[name] ?? Number.NaN), 0);
  console.log(figuresLine({ faults: total("faults"), left: total("left") }));
  console.log(`${sum(PASSED)} passed, ${sum(FAILED)} failed`);
  return ended.every(({ code }) => code === 0);
};
