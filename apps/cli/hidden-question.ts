import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { readAnswer } from "./question.ts";

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** What the user types appears nowhere. Without a terminal, one line of standard input is read. */
export const askHidden = async (question: string): Promise<string> => {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write(question);
  const reader = createInterface({
    input: process.stdin,
    output: nowhere(),
    terminal: isTerminal,
  });
  try {
    return (await readAnswer(reader, "")).trim();
  } finally {
    reader.close();
    if (isTerminal) process.stderr.write("\n");
  }
};
