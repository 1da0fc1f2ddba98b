import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { NESTED_LEVELS_MAX } from "#client/nested-paths.ts";
import { pause } from "#client/pause.ts";
import { lastEventId, type StackVerb } from "#client/wait.ts";
import type { WireStack } from "#client/wire.ts";
import { type Declaration, declare, onHost, onStack } from "../declaration.ts";
import { CommandFailed, EXIT_INTERRUPTED } from "../failure.ts";
import { flag, option, WaitOptions, yes } from "../options.ts";
import { oneLine } from "../print.ts";
import { confirm, refuseWithoutTerminal } from "../question.ts";
import type { Session } from "../session.ts";
import { driftReport } from "./drift.ts";
import { operate, waitForEnd } from "./follow.ts";
import { updateQuery } from "./target.ts";

export const addActionCommands = (stack: Command): void =>
  declare(stack, remove, suspend, resume, check, cancel);

const act = ({ client }: Session, stack: WireStack, action: string): Promise<unknown> =>
  client.request("POST", `${stackPath(stack)}/actions`, z.unknown(), { [action]: null });

const actionCommand = (verb: StackVerb, summary: string): Declaration => ({
  usage: `${verb.toLowerCase()} <stack>`,
  summary,
  action: onStack(WaitOptions, async (session, stack, { wait }) => {
    const send = () => act(session, stack, verb.toLowerCase());
    const report = verb === "CHECK" ? driftReport(session) : undefined;
    await operate(session, stack, { verb, wait }, send, report);
  }),
});

const suspend = actionCommand("SUSPEND", "suspend every resource of a stack");
const resume = actionCommand("RESUME", "resume every resource of a suspended stack");
const check = actionCommand(
  "CHECK",
  "compare every resource with its object; exits with 1 if one has drifted",
);

const CancelOptions = WaitOptions.extend({
  rollback: option(
    "--no-rollback",
    "stop an update or a create and keep what is there",
    z.boolean().default(true),
  ),
});

const cancel: Declaration = {
  usage: "cancel <stack>",
  summary: "stop an update and roll back",
  action: onStack(CancelOptions, async (session, stack, { wait, rollback }) => {
    // Without a rollback a cancelled operation ends FAILED, which is a success here.
    const goodEnds = rollback ? ["ROLLBACK_COMPLETE"] : ["UPDATE_FAILED", "CREATE_FAILED"];
    const send = () => act(session, stack, rollback ? "cancel_update" : "cancel_without_rollback");
    await operate(session, stack, { verb: "CANCEL", wait, goodEnds }, send);
  }),
};

const DeleteOptions = WaitOptions.extend({
  yes,
  abandonUnreachable: flag(
    "--abandon-unreachable",
    "do not wait for servers that cannot be reached",
  ),
  force: flag("--force", "even if a creation may have made an object that would remain"),
});

const remove: Declaration = {
  usage: "delete <stack...>",
  summary: "delete stacks and their resources",
  examples: ["stack delete web", "stack delete web-1 web-2 --yes"],
  action: onHost(DeleteOptions, async (session, options, names: readonly string[]) => {
    const stacks: WireStack[] = [];
    // A name that no stack has is an error before anything is deleted.
    for (const name of names) stacks.push(await session.client.findStack(name));
    if (!options.yes) await askToDelete(session, stacks);
    await removeAll(session, stacks, options);
  }),
};

const DEPLOYMENT = /^OS::Heat::(?:Software|Structured)Deployment$/;

/** Such as `web with 5 resources (2 software deployments)`. */
export const withContents = async ({ client }: Session, stack: WireStack): Promise<string> => {
  const rows = await client.resources(stack, { nestedDepth: NESTED_LEVELS_MAX });
  const { length: scripts } = rows.filter(({ resource_type: type }) => DEPLOYMENT.test(type));
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const more = scripts === 0 ? "" : ` (${counted(scripts, "software deployment")})`;
  return `${oneLine(stack.stack_name)} with ${counted(rows.length, "resource")}${more}`;
};

const askToDelete = async (session: Session, stacks: readonly WireStack[]): Promise<void> => {
  refuseWithoutTerminal();
  const named: string[] = [];
  for (const stack of stacks) named.push(await withContents(session, stack));
  if (named.length > 1) process.stderr.write(`${named.join("\n")}\n`);
  const what = named.length === 1 ? named.join("") : `these ${named.length} stacks`;
  if (!(await confirm(`Delete ${what}? [y/N] `))) {
    throw new CommandFailed("Nothing was deleted.");
  }
};

/** All deletes begin before the first is waited for. One that fails does not hide the others. */
const removeAll = async (
  session: Session,
  stacks: readonly WireStack[],
  { wait, abandonUnreachable, force }: z.infer<typeof DeleteOptions>,
): Promise<void> => {
  const { client } = session;
  const query = updateQuery({
    abandon_unreachable: abandonUnreachable && "true",
    force: force && "true",
  });
  const begun: { readonly stack: WireStack; readonly marker: string | null }[] = [];
  for (const stack of stacks) {
    const marker = await lastEventId(client, stack, pause);
    await client.request("DELETE", `${stackPath(stack)}${query}`, z.unknown());
    begun.push({ stack, marker });
  }
  if (!wait) {
    const all = stacks.map(({ id }) => ({ id }));
    const document = all.length === 1 ? { stack: all[0] } : { stacks: all };
    return session.print(document, () => all.map(({ id }) => id));
  }
  const failures: string[] = [];
  for (const { stack, marker } of begun) {
    try {
      const goodEnds = ["DELETE_COMPLETE"];
      await waitForEnd(session, { stack, verb: "DELETE", marker, goodEnds });
    } catch (error) {
      const isFailure = error instanceof CommandFailed && error.exitCode !== EXIT_INTERRUPTED;
      if (!isFailure) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length > 0) throw new CommandFailed(failures.join("\n"));
  session.print({}, () => []);
};
