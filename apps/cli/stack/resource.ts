import type { Command } from "commander";
import { z } from "zod";
import { pathIn, placeBelow } from "#client/client.ts";
import { REDACTED } from "#client/masked-urls.ts";
import { ResourceShape } from "#client/wire.ts";
import { mergedMaps } from "#lib/json.ts";
import { recordOf } from "#lib/json-schema.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { addWaitOptions } from "../options.ts";
import { fieldLines, namedText, section, tableLines, valueLine } from "../print.ts";
import { openSession, readOptions, type Session } from "../session.ts";

const ResolveOptions = z.object({
  import: z.string().min(1, "--import needs the object's id").optional(),
  nothingWasMade: z.boolean().default(false),
  retry: z.boolean().default(false),
});
const ResourceAnswer = z.looseObject({
  resource: ResourceShape.extend({ attributes: z._default(recordOf(z.unknown()), {}) }),
});
const RetryOptions = z.object({ wait: z.boolean(), dryRun: z.boolean().default(false) });

/** Users look for the group below `hearth` and below `hearth stack`. */
export const addResourceCommands = (parent: Command): void => {
  const group = parent.command("resource").summary("one resource of a stack");
  group
    .command("show <stack> <resource> [attribute]")
    .summary("a resource with its attributes, or the bare value of one")
    .action(show);
  addWaitOptions(group.command("retry <stack> <resource>"))
    .summary("try a failed or unhealthy resource again, and what depends on it")
    .option("--dry-run", "only show what the update would change")
    .action(retry);
  group
    .command("resolve <stack> <resource>")
    .summary("say whether a creation whose outcome is unknown has made an object")
    .option("--import <id>", "it has: take this object")
    .option("--nothing-was-made", "it has not")
    .option("--retry", "create it again, whatever the first call has made")
    .action(resolve);
};

const show = async (
  nameOrId: string,
  resource: string,
  attribute: string | undefined,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const path = await resourcePath(session, nameOrId, resource);
  const named = attribute === undefined ? "" : `?with_attr=${encodeURIComponent(attribute)}`;
  const answer = await session.client.request("GET", `${path}${named}`, ResourceAnswer);
  const { resource: found } = answer;
  const { attributes } = found;
  if (attribute === undefined) {
    const shown = withoutToken(attributes);
    const document = { resource: mergedMaps<unknown>(found, { attributes: shown }) };
    return session.print(document, () => resourceLines(found, shown));
  }
  const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : null;
  if (value === null) await refuseUnknown(session, path, attribute);
  session.printNamed({ attribute: value }, () => [namedText(value)]);
};

/** In Heat the attribute `show` stands for all attributes, and is in no list of them. */
const ALL = "show";

/** As in Heat, the host answers null for an attribute that does not exist. */
const refuseUnknown = async (
  { client }: Session,
  path: string,
  attribute: string,
): Promise<void> => {
  const { resource } = await client.request("GET", path, ResourceAnswer);
  const known = Object.keys(resource.attributes);
  if (attribute === ALL || known.includes(attribute)) return;
  const others = known.length === 0 ? "none" : known.join(", ");
  throw new CommandFailed(
    `${resource.resource_name} has no attribute ${attribute}. It has: ${others}.`,
  );
};

/** The attribute `token` of a wait condition's handle is the signature of its URL. */
const withoutToken = (attributes: Readonly<Record<string, unknown>>) =>
  typeof attributes["token"] === "string"
    ? mergedMaps<unknown>(attributes, { token: REDACTED })
    : attributes;

const resourceLines = (
  resource: z.infer<typeof ResourceAnswer>["resource"],
  attributes: Readonly<Record<string, unknown>>,
): string[] => [
  ...fieldLines([
    ["name", resource.resource_name],
    ["type", resource.resource_type],
    ["status", resource.resource_status],
    ["reason", resource.resource_status_reason],
    ["object", resource.physical_resource_id],
    ["updated", resource.updated_time],
    ["required by", resource.required_by?.join(", ")],
  ]),
  ...section("attributes", Object.entries(attributes).map(valueLine)),
];

const retry = async (
  nameOrId: string,
  resource: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const options = readOptions(RetryOptions, command);
  const stack = await session.client.findStack(nameOrId);
  const { retryResource } = await import("./retry-resource.ts");
  await retryResource(session, stack, resource, options);
};

const resolve = async (
  nameOrId: string,
  resource: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const { import: id, nothingWasMade, retry: again } = readOptions(ResolveOptions, command);
  const answers = [
    ...(id === undefined ? [] : [{ body: { import: id }, said: `It has the object ${id} now.` }]),
    ...(nothingWasMade
      ? [{ body: { nothing_was_made: true }, said: "The next update creates it." }]
      : []),
    ...(again ? [{ body: { retry: true }, said: "An update has begun that creates it." }] : []),
  ];
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) {
    throw badUsage("Give one of --import ID, --nothing-was-made and --retry.");
  }
  const path = `${await resourcePath(session, nameOrId, resource)}/resolve`;
  await session.client.request("POST", path, z.unknown(), answer.body);
  session.print({}, () => [answer.said]);
};

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

export const resourcePath = async (
  { client }: Session,
  nameOrId: string,
  resource: string,
): Promise<string> => {
  const { stack, name } = await placeBelow(client, await client.findStack(nameOrId), resource);
  return pathIn(stack, name);
};
