/** One answer that a user types. */
import type { Interface } from "node:readline/promises";
import { CommandFailed, EXIT_INTERRUPTED } from "./failure.ts";

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
