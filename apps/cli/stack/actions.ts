import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import type { StackVerb } from "#client/wait.ts";
import type { WireStack } from "#client/wire.ts";
import { type Declaration, declare, onStack } from "../declaration.ts";
import { CommandFailed } from "../failure.ts";
import { addWaitOptions, flag } from "../options.ts";
import { confirm } from "../question.ts";
import type { Session } from "../session.ts";
import { driftReport } from "./drift.ts";
import { operate } from "./follow.ts";

const ActionOptions = z.object({
  wait: z.boolean(),
  yes: flag,
  rollback: z.boolean().default(true),
  abandonUnreachable: flag,
  force: flag,
});

type StackCommand = (
  session: Session,
  stack: WireStack,
  options: z.infer<typeof ActionOptions>,
) => Promise<unknown>;

const actionCommand = (
  verb: StackVerb,
  summary: string,
  run: StackCommand,
  more: (command: Command) => Command = (command) => command,
): Declaration => ({
  usage: `${verb.toLowerCase()} <stack>`,
  summary,
  options: (command) => more(addWaitOptions(command)),
  action: onStack(ActionOptions, async (session, stack, options) => {
    const { wait, rollback } = options;
    // Without a rollback a cancelled operation ends FAILED, which is a success here.
    const cancelled = rollback ? ["ROLLBACK_COMPLETE"] : ["UPDATE_FAILED", "CREATE_FAILED"];
    const goodEnds = verb === "CANCEL" ? cancelled : [`${verb}_COMPLETE`];
    const send = () => run(session, stack, options);
    const report = verb === "CHECK" ? driftReport(session) : undefined;
    await operate(session, stack, { verb, wait, goodEnds }, send, report);
  }),
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

export const addActionCommands = (stack: Command): void => {
  const suspend = "suspend every resource of a stack";
  const resume = "resume every resource of a suspended stack";
  const check = "compare every resource with its object; exits with 1 if one has drifted";
  declare(
    stack,
    actionCommand("DELETE", "delete a stack and its resources", remove, (command) =>
      command
        .option("-y, --yes", "do not ask")
        .option("--abandon-unreachable", "do not wait for servers that cannot be reached")
        .option("--force", "even if a creation may have made an object that would remain"),
    ),
    actionCommand("SUSPEND", suspend, act("suspend")),
    actionCommand("RESUME", resume, act("resume")),
    actionCommand("CHECK", check, act("check")),
    actionCommand("CANCEL", "stop an update and roll back", cancel, (command) =>
      command.option("--no-rollback", "stop an update or a create and keep what is there"),
    ),
  );
};

const cancel: StackCommand = (session, stack, options) =>
  act(options.rollback ? "cancel_update" : "cancel_without_rollback")(session, stack, options);
