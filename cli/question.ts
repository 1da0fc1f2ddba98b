/** One answer that a user types. */
import { createInterface, type Interface } from "node:readline/promises";
import { badUsage, CommandFailed, EXIT_INTERRUPTED } from "./failure.ts";

/** Empty at the end of the input. Ctrl-C ends the command. */
export const readAnswer = async (reader: Interface, question: string): Promise<string> => {
  const interrupted = new Promise<never>((_resolve, reject) => {
    reader.once("SIGINT", () => reject(new CommandFailed("Interrupted.", EXIT_INTERRUPTED)));
  });
  const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  const answered = reader.question(question);
  // Closing the reader rejects a question that nobody waits for any more.
  answered.catch(() => undefined);
  return Promise.race([answered, ended, interrupted]);
};

/** Whether the user has said yes. Nobody can without a terminal. */
export const confirm = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY) throw badUsage("There is no terminal to ask on: add --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once("SIGINT", () => process.stderr.write("\n"));
  try {
    return /^y(es)?$/i.test((await readAnswer(terminal, question)).trim());
  } finally {
    terminal.close();
  }
};
