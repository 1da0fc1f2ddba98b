/** What the commands of `hearth aws` have in common: options that zod checks, and exit codes. */
import type * as z from "zod";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** @returns what is wrong with the options, as a text, or the options */
const checked = <Usage extends object>(
  schema: z.ZodType<Usage>,
  given: () => unknown,
): Usage | string => {
  try {
    const { data, error } = schema.safeParse(given());
    return data ?? error?.issues.map(({ message }) => message).join("\n") ?? "";
  } catch (error) {
    return messageOf(error);
  }
};

export interface Command<Usage extends object> {
  readonly help: string;
  readonly schema: z.ZodType<Usage>;
  readonly given: () => unknown;
  readonly play: (usage: Usage) => Promise<number>;
}

/** Exit codes: that of `play`, 1 if it throws, 2 for options that are wrong. */
export const run = async <Usage extends object>(command: Command<Usage>): Promise<number> => {
  const { help, schema, given, play } = command;
  const usage = checked(schema, given);
  if (typeof usage === "string") {
    process.stderr.write(`ERROR: ${usage}\n${help}`);
    return EXIT_USAGE;
  }
  try {
    return await play(usage);
  } catch (error) {
    process.stderr.write(`ERROR: ${messageOf(error)}\n`);
    return EXIT_FAILED;
  }
};
