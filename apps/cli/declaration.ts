/**
 * A command as its file declares it: its words, its line in the help, its options and its action.
 * An action parses the options by a shape first, so a wrong one is refused before a host is asked.
 */
import type { Command } from "commander";
import { z } from "zod";
import type { WireStack } from "#client/wire.ts";
import { openSession, readOptions, type Session } from "./session.ts";

export interface Declaration {
  /** The name and the arguments, as commander parses them: `outputs <stack> [key]`. */
  readonly usage: string;
  /** Absent for a command at the top: command-groups.ts has its line. */
  readonly summary?: string;
  readonly options?: (command: Command) => Command;
  readonly action: Parameters<Command["action"]>[0];
}

export const declare = (parent: Command, ...declarations: readonly Declaration[]): void => {
  for (const { usage, summary = "", options, action } of declarations) {
    const command = parent.command(usage).summary(summary).action(action);
    options?.(command);
  }
};

export const NO_OPTIONS = z.object({});

/** For commands that ask no host. Commander passes its command after the arguments. */
export const locally = <Shape extends z.ZodType, Arguments extends unknown[]>(
  shape: Shape,
  run: (options: z.infer<Shape>, ...given: Arguments) => void | Promise<void>,
) =>
  async function (this: Command, ...given: Arguments): Promise<void> {
    await run(readOptions(shape, this), ...given);
  };

export const onHost = <Shape extends z.ZodType, Arguments extends unknown[]>(
  shape: Shape,
  run: (session: Session, options: z.infer<Shape>, ...given: Arguments) => Promise<void>,
) =>
  async function (this: Command, ...given: Arguments): Promise<void> {
    await run(openSession(this), readOptions(shape, this), ...given);
  };

/** The first argument is the name, the path or the id of a stack. */
export const onStack = <Shape extends z.ZodType, Arguments extends unknown[]>(
  shape: Shape,
  run: (
    session: Session,
    stack: WireStack,
    options: z.infer<Shape>,
    ...given: Arguments
  ) => Promise<void>,
) =>
  onHost(shape, async (session, options, nameOrId: string, ...given: Arguments) =>
    run(session, await session.client.findStack(nameOrId), options, ...given),
  );
