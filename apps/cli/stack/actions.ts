import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import type { StackVerb } from "#client/wait.ts";
import type { WireStack } from "#client/wire.ts";
import { CommandFailed } from "../failure.ts";
import { addWaitOptions } from "../options.ts";
import { confirm } from "../question.ts";
import { openSession, readOptions, type Session } from "../session.ts";
import { driftReport } from "./drift.ts";
import { operate } from "./follow.ts";

const ActionOptions = z.object({
  wait: z.boolean(),
  yes: z.boolean().default(false),
  rollback: z.boolean().default(true),
  abandonUnreachable: z.boolean().default(false),
  force: z.boolean().default(false),
});
type Options = z.infer<typeof ActionOptions>;

export const addActionCommands = (stack: Command): void => {
  actionCommand(stack, "DELETE", "delete a stack and its resources", remove)
    .option("-y, --yes", "do not ask")
    .option("--abandon-unreachable", "do not wait for servers that cannot be reached")
    .option("--force", "even if a creation may have made an object that would remain");
  const suspend = "suspend every resource of a stack";
  actionCommand(stack, "SUSPEND", suspend, act("suspend"));
  const resume = "resume every resource of a suspended stack";
  actionCommand(stack, "RESUME", resume, act("resume"));
  const check = "compare every resource with its object; exits with 1 if one has drifted";
  actionCommand(stack, "CHECK", check, act("check"));
  actionCommand(stack, "CANCEL", "stop an update and roll back", (session, found, options) =>
    act(options.rollback ? "cancel_update" : "cancel_without_rollback")(session, found, options),
  ).option("--no-rollback", "stop an update or a create and keep what is there");
};

type StackCommand = (session: Session, stack: WireStack, options: Options) => Promise<unknown>;

const actionCommand = (
  parent: Command,
  verb: StackVerb,
  summary: string,
  run: StackCommand,
): Command =>
  addWaitOptions(parent.command(`${verb.toLowerCase()} <stack>`))
    .summary(summary)
    .action(async (nameOrId: string, _options: unknown, command: Command) => {
      const session = openSession(command);
      const options = readOptions(ActionOptions, command);
      const stack = await session.client.findStack(nameOrId);
      const { wait, rollback } = options;
      // Without a rollback a cancelled operation ends FAILED, which is a success here.
      const cancelled = rollback ? ["ROLLBACK_COMPLETE"] : ["UPDATE_FAILED", "CREATE_FAILED"];
      const goodEnds = verb === "CANCEL" ? cancelled : [`${verb}_COMPLETE`];
      const send = () => run(session, stack, options);
      const report = verb === "CHECK" ? driftReport(session) : undefined;
      await operate(session, stack, { verb, wait, goodEnds }, send, report);
    });

const act =
  (action: string): StackCommand =>
  (session, stack) =>
    session.client.request("POST", `${stackPath(stack)}/actions`, z.unknown(), { [action]: null });

const remove: StackCommand = async (session, stack, { yes, abandonUnreachable, force }) => {
  if (!yes && !(await confirm(`Delete ${stack.stack_name} and everything in it? [y/N] `))) {
    throw new CommandFailed("Nothing was deleted.");
  }
  const asked = [
    ...(abandonUnreachable ? ["abandon_unreachable=true"] : []),
    ...(force ? ["force=true"] : []),
  ];
  const query = asked.length === 0 ? "" : `?${asked.join("&")}`;
  return session.client.request("DELETE", `${stackPath(stack)}${query}`, z.unknown());
};
