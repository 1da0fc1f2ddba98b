import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { badUsage, CommandFailed, EXIT_INTERRUPTED } from "./failure.ts";
import { wrapTo } from "./print.ts";

/** @returns an empty text at the end of the input. */
export const readAnswer = async (reader: Interface, question: string): Promise<string> => {
  const interrupted = new Promise<never>((_resolve, reject) => {
    reader.once("SIGINT", () => reject(new CommandFailed("Interrupted.", EXIT_INTERRUPTED)));
  });
  const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  const answered = reader.question(question);
  // Closing the reader rejects the question, when nobody waits for it any more.
  answered.catch(() => undefined);
  return Promise.race([answered, ended, interrupted]);
};

export const refuseWithoutTerminal = (): void => {
  if (!process.stdin.isTTY) throw badUsage("There is no terminal to ask on: add --yes.");
};

export const confirm = async (question: string): Promise<boolean> => {
  refuseWithoutTerminal();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once("SIGINT", () => process.stderr.write("\n"));
  try {
    const lines = wrapTo(question, process.stderr.columns || Number.POSITIVE_INFINITY);
    return /^y(es)?$/i.test((await readAnswer(terminal, lines.join("\n"))).trim());
  } finally {
    terminal.close();
  }
};

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
