/** The commands about one resource: clear its hook, mark it unhealthy. */
import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { badUsage } from "../failure.ts";
import { tableLines } from "../print.ts";
import { openSession, readOptions, type Session } from "../session.ts";

const ResolveOptions = z.object({
  import: z.string().min(1, "--import needs the object's id").optional(),
  nothingWasMade: z.boolean().default(false),
  retry: z.boolean().default(false),
});
const MarkOptions = z.object({ reset: z.boolean().default(false) });

/** The reason of a waiting resource, in Heat's words. */
const PAUSED = /paused until Hook (\S+) is cleared$/;

export const addResourceCommands = (stack: Command): void => {
  const hook = stack.command("hook").summary("resources that wait for a user");
  hook
    .command("list <stack>")
    .summary("the resources that wait, and at which hook")
    .action(listHooks);
  hook
    .command("clear <stack> <resource> <hook>")
    .summary("let a resource go on from its hook (pre-create, post-update, …)")
    .action(clearHook);
  stack
    .command("mark-unhealthy <stack> <resource> [reason]")
    .summary("let the next update replace a resource")
    .option("--reset", "take that back")
    .action(mark);
  stack
    .command("resource")
    .summary("answers for one resource")
    .command("resolve <stack> <resource>")
    .summary("say whether a creation whose outcome is unknown has made an object")
    .option("--import <id>", "it has: take this object")
    .option("--nothing-was-made", "it has not")
    .option("--retry", "create it again, whatever the first call has made")
    .action(resolve);
};

const resolve = async (
  nameOrId: string,
  resource: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const { import: id, nothingWasMade, retry } = readOptions(ResolveOptions, command);
  const answers = [
    ...(id === undefined ? [] : [{ body: { import: id }, said: `It has the object ${id} now.` }]),
    ...(nothingWasMade
      ? [{ body: { nothing_was_made: true }, said: "The next update creates it." }]
      : []),
    ...(retry ? [{ body: { retry: true }, said: "An update has begun that creates it." }] : []),
  ];
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) {
    throw badUsage("Give one of --import ID, --nothing-was-made and --retry.");
  }
  const path = `${await resourcePath(session, nameOrId, resource)}/resolve`;
  await session.client.request("POST", path, z.unknown(), answer.body);
  session.print({}, () => [answer.said]);
};

const resourcePath = async (
  session: Session,
  nameOrId: string,
  resource: string,
): Promise<string> => {
  const stack = await session.client.findStack(nameOrId);
  return `${stackPath(stack)}/resources/${encodeURIComponent(resource)}`;
};

const listHooks = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const stack = await session.client.findStack(nameOrId);
  const waiting = (await session.client.resources(stack)).flatMap((resource) => {
    const hook = PAUSED.exec(resource.resource_status_reason ?? "")?.[1];
    return hook === undefined ? [] : [{ resource, hook }];
  });
  const headers = ["NAME", "HOOK", "SINCE"];
  session.print({ resources: waiting.map(({ resource }) => resource) }, () =>
    tableLines(
      headers,
      waiting.map(({ resource, hook }) => [resource.resource_name, hook, resource.updated_time]),
    ),
  );
};

const clearHook = async (
  nameOrId: string,
  resource: string,
  hook: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const path = `${await resourcePath(session, nameOrId, resource)}/signal`;
  await session.client.request("POST", path, z.unknown(), { unset_hook: hook });
  session.print({}, () => []);
};

const mark = async (
  nameOrId: string,
  resource: string,
  reason: string | undefined,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const { reset } = readOptions(MarkOptions, command);
  const path = await resourcePath(session, nameOrId, resource);
  const body = { mark_unhealthy: !reset, resource_status_reason: reason ?? "" };
  await session.client.request("PATCH", path, z.unknown(), body);
  session.print({}, () => []);
};
