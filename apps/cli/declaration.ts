/**
 * A command as its file declares it: its words, its line in the help and its action. The shape by
 * which an action parses the options declares them too (options.ts), and it is parsed first, so a
 * wrong option is refused before a host is asked.
 */
import type { Command } from "commander";
import { z } from "zod";
import type { WireStack } from "#client/wire.ts";
import { addOptions } from "./options.ts";
import { openSession, readOptions, type Session } from "./session.ts";

export interface Declaration {
  /** The name and the arguments, as commander parses them: `outputs <stack> [key]`. */
  readonly usage: string;
  /** Absent for a command at the top: command-groups.ts has its line. */
  readonly summary?: string;
  /** What a usage cannot say of the arguments, such as a default. */
  readonly words?: (command: Command) => Command;
  /** What follows `hearth`. */
  readonly examples?: readonly string[];
  readonly action: Action;
}

interface Action {
  readonly shape: z.ZodObject;
  readonly run: Parameters<Command["action"]>[0];
}

export const EXAMPLES = "\n\nExamples:\n";

export const sentenceOf = (summary: string): string =>
  `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

export const declare = (parent: Command, ...declarations: readonly Declaration[]): void => {
  for (const { usage, summary = "", words, examples = [], action } of declarations) {
    const command = parent.command(usage).summary(summary).action(action.run);
    words?.(command);
    addOptions(command, action.shape);
    if (examples.length === 0) continue;
    const lines = examples.map((line) => `  hearth ${line}`).join("\n");
    command.description(`${sentenceOf(summary)}${EXAMPLES}${lines}`);
  }
};

export const NO_OPTIONS = z.object({});

/** For commands that ask no host. Commander passes its command after the arguments. */
export const locally = <Shape extends z.ZodObject, Arguments extends unknown[]>(
  shape: Shape,
  run: (options: z.infer<Shape>, ...given: Arguments) => void | Promise<void>,
): Action => ({
  shape,
  run: async function (this: Command, ...given: Arguments): Promise<void> {
    await run(readOptions(shape, this), ...given);
  },
});

export const onHost = <Shape extends z.ZodObject, Arguments extends unknown[]>(
  shape: Shape,
  run: (session: Session, options: z.infer<Shape>, ...given: Arguments) => Promise<void>,
): Action => ({
  shape,
  run: async function (this: Command, ...given: Arguments): Promise<void> {
    await run(openSession(this), readOptions(shape, this), ...given);
  },
});

/** The first argument is the name, the path or the id of a stack. */
export const onStack = <Shape extends z.ZodObject, Arguments extends unknown[]>(
  shape: Shape,
  run: (
    session: Session,
    stack: WireStack,
    options: z.infer<Shape>,
    ...given: Arguments
  ) => Promise<void>,
): Action =>
  onHost(shape, async (session, options, nameOrId: string, ...given: Arguments) =>
    run(session, await session.client.findStack(nameOrId), options, ...given),
  );
