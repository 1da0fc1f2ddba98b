import type { Command } from "commander";
import { z } from "zod";
import { tableLines } from "../print.ts";
import { resourcePath } from "../resource-path.ts";
import { openSession, readOptions } from "../session.ts";

const MarkOptions = z.object({ reset: z.boolean().default(false) });

/** The status reason of a resource that waits at a hook, in Heat's words. */
const PAUSED = /paused until Hook (\S+) is cleared$/;

export const addMarkCommands = (stack: Command): void => {
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
