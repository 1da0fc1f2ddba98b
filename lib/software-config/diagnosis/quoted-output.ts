import type { OutputTail } from "./facts.ts";
import { QUOTED_CHARS_MAX } from "./limits.ts";

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/\p{Cc}+/gu, " ").trim())
    .filter((line) => line !== "");

/** Cuts by characters, because the store cannot keep half of a surrogate pair. */
const quoted = (line: string): string => {
  const characters = [...line];
  const isLong = characters.length > QUOTED_CHARS_MAX;
  return `"${isLong ? `${characters.slice(0, QUOTED_CHARS_MAX).join("")}...` : line}"`;
};

export const lastLine = (output: OutputTail | null): string | null => {
  const line = [output?.deploy_stdout, output?.deploy_stderr]
    .map((text) => linesOf(text ?? "").at(-1))
    .find((last) => last !== undefined);
  return line === undefined ? null : quoted(line);
};

export const lastErrorLines = (output: OutputTail | null, linesMax: number): readonly string[] =>
  linesOf(output?.deploy_stderr ?? "")
    .slice(-linesMax)
    .map(quoted);
