/** The commands that act on a stack without a template: delete, suspend, resume, check, cancel. */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import type { StackOperation, StackVerb } from "#client/progress.ts";
import { lastEventId } from "#client/wait.ts";
import type { WireStack } from "#client/wire.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { followOperation } from "../follow.ts";
import { pause } from "../pause.ts";
import { openSession, readOptions, type Session } from "../session.ts";

const ActionOptions = z.object({
  wait: z.boolean(),
  yes: z.boolean().default(false),
  rollback: z.boolean().default(true),
});
type Options = z.infer<typeof ActionOptions>;

export const addActionCommands = (stack: Command): void => {
  actionCommand(stack, "delete", "delete a stack and its resources", remove).option(
    "-y, --yes",
    "do not ask",
  );
  for (const [verb, summary] of Object.entries({
    suspend: "suspend every resource of a stack",
    resume: "resume every resource of a suspended stack",
    check: "compare every resource with what its provider has",
  })) {
    actionCommand(stack, verb, summary, async (session, found) => {
      await act(session, found, verb);
    });
  }
  actionCommand(
    stack,
    "cancel",
    "stop an update and roll back",
    async (session, found, options) => {
      await act(session, found, options.rollback ? "cancel_update" : "cancel_without_rollback");
    },
  ).option("--no-rollback", "stop an update or a create and keep what is there");
};

type StackCommand = (session: Session, stack: WireStack, options: Options) => Promise<void>;

const actionCommand = (
  parent: Command,
  verb: string,
  summary: string,
  run: StackCommand,
): Command =>
  parent
    .command(`${verb} <stack>`)
    .summary(summary)
    .option("--no-wait", "return as soon as the request is accepted")
    .action(async (nameOrId: string, _options: unknown, command: Command) => {
      const session = openSession(command);
      const options = readOptions(ActionOptions, command);
      const stack = await session.client.findStack(nameOrId);
      const marker = await lastEventId(session.client, stack, pause);
      await run(session, stack, options);
      if (!options.wait) return session.print({ stack: { id: stack.id } }, () => [stack.id]);
      await followOperation(session, operationOf(verb, stack, marker, options));
    });

const VERBS: Readonly<Record<string, StackVerb>> = {
  delete: "DELETE",
  suspend: "SUSPEND",
  resume: "RESUME",
  check: "CHECK",
  cancel: "CANCEL",
};

const operationOf = (
  command: string,
  stack: WireStack,
  marker: string | null,
  { rollback }: Options,
): StackOperation => {
  const verb = VERBS[command] ?? "CANCEL";
  // A cancelled operation ends FAILED, and that is the wanted end.
  const cancelled = rollback ? ["ROLLBACK_COMPLETE"] : ["UPDATE_FAILED", "CREATE_FAILED"];
  const goodEnds = verb === "CANCEL" ? cancelled : [`${verb}_COMPLETE`];
  return { stack, verb, marker, goodEnds };
};

const act = (session: Session, stack: WireStack, action: string): Promise<unknown> =>
  session.client.request("POST", `${stackPath(stack)}/actions`, z.unknown(), { [action]: null });

const remove: StackCommand = async (session, stack, { yes }) => {
  if (!yes) await confirm(`Delete ${stack.stack_name} and everything in it? [y/N] `);
  await session.client.request("DELETE", stackPath(stack), z.unknown());
};

const confirm = async (question: string): Promise<void> => {
  if (!process.stdin.isTTY) throw badUsage("There is no terminal to ask on: add --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(question);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed("Nothing was deleted.");
  } finally {
    terminal.close();
  }
};
