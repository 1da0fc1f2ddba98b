import type { Command } from "commander";
import { z } from "zod";
import { pathIn, placeBelow } from "#client/client.ts";
import { REDACTED } from "#client/masked-urls.ts";
import { ResourceShape, type WireStack } from "#client/wire.ts";
import { mergedMaps } from "#lib/json.ts";
import { recordOf } from "#lib/json-schema.ts";
import { type Declaration, declare, NO_OPTIONS, onHost, onStack } from "../declaration.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { flag, option, WaitOptions } from "../options.ts";
import { fieldLines, namedText, section, tableLines, valueLine } from "../print.ts";
import type { Session } from "../session.ts";

const ResourceAnswer = z.looseObject({
  resource: ResourceShape.extend({ attributes: z._default(recordOf(z.unknown()), {}) }),
});

/** Users look for the group below `hearth` and below `hearth stack`. */
export const addResourceCommands = (parent: Command): void =>
  declare(parent.command("resource").summary("one resource of a stack"), show, retry, resolve);

export const addMarkCommands = (stack: Command): void => {
  const hook = stack.command("hook").summary("resources that wait for a user");
  declare(hook, listHooks, clearHook);
  declare(stack, markUnhealthy);
};

const show: Declaration = {
  usage: "show <stack> <resource> [attribute]",
  summary: "a resource with its attributes, or the bare value of one",
  action: onStack(
    NO_OPTIONS,
    async (session, stack, _options, resource: string, attribute?: string) => {
      const path = await resourcePath(session, stack, resource);
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
    },
  ),
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

const retry: Declaration = {
  usage: "retry <stack> <resource>",
  summary: "try a failed or unhealthy resource again, and what depends on it",
  action: onStack(
    WaitOptions.extend({ dryRun: flag("--dry-run", "only show what the update would change") }),
    async (session, stack, options, resource: string) => {
      const { retryResource } = await import("./retry-resource.ts");
      await retryResource(session, stack, resource, options);
    },
  ),
};

const ResolveOptions = z.object({
  import: option(
    "--import <id>",
    "it has: take this object",
    z.string().min(1, "--import needs the object's id").optional(),
  ),
  nothingWasMade: flag("--nothing-was-made", "it has not"),
  retry: flag("--retry", "create it again, whatever the first call has made"),
});

const resolve: Declaration = {
  usage: "resolve <stack> <resource>",
  summary: "say whether a creation whose outcome is unknown has made an object",
  action: onHost(ResolveOptions, async (session, options, nameOrId: string, resource: string) => {
    const { import: id, nothingWasMade, retry: again } = options;
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
    const stack = await session.client.findStack(nameOrId);
    const path = `${await resourcePath(session, stack, resource)}/resolve`;
    await session.client.request("POST", path, z.unknown(), answer.body);
    session.print({}, () => [answer.said]);
  }),
};

/** The status reason of a resource that waits at a hook, in Heat's words. */
const PAUSED = /paused until Hook (\S+) is cleared$/;

const listHooks: Declaration = {
  usage: "list <stack>",
  summary: "the resources that wait, and at which hook",
  action: onStack(NO_OPTIONS, async (session, stack) => {
    const waiting = (await session.client.resources(stack)).flatMap((resource) => {
      const hook = PAUSED.exec(resource.resource_status_reason ?? "")?.[1];
      return hook === undefined ? [] : [{ resource, hook }];
    });
    const rows = waiting.map(({ resource, hook }) => [
      resource.resource_name,
      hook,
      resource.updated_time,
    ]);
    session.print({ resources: waiting.map(({ resource }) => resource) }, () =>
      tableLines(["NAME", "HOOK", "SINCE"], rows),
    );
  }),
};

const clearHook: Declaration = {
  usage: "clear <stack> <resource> <hook>",
  summary: "let a resource go on from its hook (pre-create, post-update, …)",
  action: onStack(NO_OPTIONS, async (session, stack, _options, resource: string, hook: string) => {
    const path = `${await resourcePath(session, stack, resource)}/signal`;
    await session.client.request("POST", path, z.unknown(), { unset_hook: hook });
    session.print({}, () => []);
  }),
};

const markUnhealthy: Declaration = {
  usage: "mark-unhealthy <stack> <resource> [reason]",
  summary: "let the next update replace a resource",
  action: onStack(
    z.object({ reset: flag("--reset", "take that back") }),
    async (session, stack, { reset }, resource: string, reason?: string) => {
      const path = await resourcePath(session, stack, resource);
      const body = { mark_unhealthy: !reset, resource_status_reason: reason ?? "" };
      await session.client.request("PATCH", path, z.unknown(), body);
      session.print({}, () => []);
    },
  ),
};

const resourcePath = async (
  { client }: Session,
  top: WireStack,
  resource: string,
): Promise<string> => {
  const { stack, name } = await placeBelow(client, top, resource);
  return pathIn(stack, name);
};
