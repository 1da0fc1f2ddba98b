import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { openNestedPaths, stackPaths } from "#client/nested-paths.ts";
import { PAGE_ENTRIES_MAX, readAllPages } from "#client/pages.ts";
import { tryDiagnosis } from "#client/stack-diagnosis.ts";
import {
  type Output,
  OutputAnswer,
  StackAnswer,
  StacksAnswer,
  type WireResource,
  type WireStack,
} from "#client/wire.ts";
import { type Declaration, declare, NO_OPTIONS, onHost, onStack } from "../declaration.ts";
import { CommandFailed } from "../failure.ts";
import { filled, flag, instantOption, option, WaitTimeout } from "../options.ts";
import {
  namedText,
  oneLine,
  printable,
  stackLines,
  tableLines,
  terminalWidth,
  valueText,
} from "../print.ts";
import type { Session } from "../session.ts";
import { causeLines, diagnose } from "./diagnose.ts";

const long = flag("--long", "with ids");
const DEPTH_TEXT = "--nested-depth is a whole number, 0 or more";
const nestedDepth = option(
  "-n, --nested-depth <levels>",
  "include this many levels of nested stacks",
  z.coerce.number(DEPTH_TEXT).int(DEPTH_TEXT).nonnegative(DEPTH_TEXT).default(0),
);
const LIMIT_TEXT = "--limit is a whole number, 1 or more";
const limit = z.coerce.number(LIMIT_TEXT).int(LIMIT_TEXT).min(1, LIMIT_TEXT).optional();

const EventOptions = z.object({
  follow: flag("-f, --follow", "go on with new events, until Ctrl-C"),
  resource: option("--resource <name>", "only those of this resource", filled("--resource")),
  since: option(
    "--since <time>",
    "only those since 10m, 2h or 7d ago, or since 2026-01-31T12:00:00Z",
    instantOption("--since", Date.now).optional(),
  ),
  limit: option("--limit <number>", "only the newest so many", limit),
  nestedDepth,
});

export const addReadingCommands = (stack: Command): void =>
  declare(stack, list, show, diagnose, events, watch, resources, outputs);

const readStack = async ({ client }: Session, nameOrId: string) => {
  const isBelow = nameOrId.includes("/");
  const path = isBelow
    ? stackPath(await client.findStack(nameOrId))
    : `/stacks/${encodeURIComponent(nameOrId)}`;
  return client.request("GET", path, StackAnswer);
};

const SORT_TEXT =
  "--sort is name, status, creation_time or updated_time, and may end with :asc or :desc";

const ListOptions = z.object({
  status: option(
    "--status <status>",
    "such as FAILED or CREATE_COMPLETE; may be repeated",
    z.array(z.string()).default([]),
  ),
  name: option("--name <name>", "may be repeated", z.array(z.string()).default([])),
  tags: option("--tags <a,b>", "only those with all of these tags", z.string().optional()),
  sort: option(
    "--sort <key>",
    "name, status, creation_time or updated_time, with :desc for the other direction",
    z
      .string()
      .regex(/^(?:name|status|creation_time|updated_time)(?::(?:asc|desc))?$/, SORT_TEXT)
      .optional(),
  ),
  limit: option("--limit <number>", "only the first so many", limit),
  deleted: flag("--deleted", "include deleted stacks"),
  nested: flag("--nested", "include nested stacks"),
  long,
});

const listQuery = (options: z.infer<typeof ListOptions>): URLSearchParams => {
  const { status, name, tags, sort, deleted, nested } = options;
  const [key = "", direction = "asc"] = sort?.split(":") ?? [];
  const query = new URLSearchParams();
  for (const one of status) query.append("status", one);
  for (const one of name) query.append("name", one);
  if (tags !== undefined) query.set("tags", tags);
  if (sort !== undefined) query.set("sort_keys", key);
  if (sort !== undefined) query.set("sort_dir", direction);
  if (deleted) query.set("show_deleted", "true");
  if (nested) query.set("show_nested", "true");
  return query;
};

const listStacks = async (
  { client }: Session,
  options: z.infer<typeof ListOptions>,
): Promise<readonly WireStack[]> => {
  const query = listQuery(options);
  const read = async (most: number, marker: string | null): Promise<readonly WireStack[]> => {
    query.set("limit", String(most));
    if (marker !== null) query.set("marker", marker);
    return (await client.request("GET", `/stacks?${query}`, StacksAnswer)).stacks;
  };
  if (options.limit !== undefined) return read(options.limit, null);
  const all = await readAllPages((marker) => read(PAGE_ENTRIES_MAX, marker));
  // If the marker's stack is deleted meanwhile, the host begins again with the first page.
  return [...new Map(all.map((stack) => [stack.id, stack])).values()];
};

const list: Declaration = {
  usage: "list",
  summary: "the stacks of the project, newest first",
  examples: ["stack list --status FAILED", "stack list --tags prod --sort name"],
  action: onHost(ListOptions, async (session, options) => {
    const { long: withIds } = options;
    const stacks = await listStacks(session, options);
    const pathOf = stackPaths(stacks);
    const headers = ["NAME", "STATUS", "CREATED", "UPDATED", ...(withIds ? ["ID"] : [])];
    const cells = (stack: WireStack) => [
      pathOf(stack),
      stack.stack_status,
      stack.creation_time,
      stack.updated_time,
      ...(withIds ? [stack.id] : []),
    ];
    session.print({ stacks }, () => tableLines(headers, stacks.map(cells), terminalWidth()));
  }),
};

const show: Declaration = {
  usage: "show <stack>",
  summary: "a stack with its parameters and outputs",
  action: onHost(NO_OPTIONS, async (session, _options, nameOrId: string) => {
    const answer = await readStack(session, nameOrId);
    const { stack } = answer;
    const asks = !session.json && !stack.stack_status.endsWith("_COMPLETE");
    const explained = asks ? await tryDiagnosis(session.client, stack) : null;
    session.print(answer, () => [
      ...stackLines(stack),
      ...(explained === null ? [] : causeLines(stack, explained.diagnosis, terminalWidth())),
    ]);
  }),
};

const events: Declaration = {
  usage: "events <stack>",
  summary: "the events of a stack, oldest first",
  action: onStack(EventOptions, async (session, stack, options) => {
    const { showEvents } = await import("./events.ts");
    await showEvents(session, stack, options);
  }),
};

const watch: Declaration = {
  usage: "watch <stack>",
  summary: "show what runs in a stack until it ends",
  action: onStack(WaitTimeout, async (session, stack) => {
    const { watchUntilItEnds } = await import("./follow.ts");
    await watchUntilItEnds(session, stack);
  }),
};

const resources: Declaration = {
  usage: "resources <stack>",
  summary: "the resources of a stack",
  action: onStack(
    z.object({ long: flag("--long", "with the ids of their objects"), nestedDepth }),
    async (session, stack, { long: withIds, ...query }) => {
      const rows = await session.client.resources(stack, query);
      const paths = openNestedPaths(stack, rows);
      const headers = ["NAME", "TYPE", "STATUS", ...(withIds ? ["PHYSICAL ID"] : []), "REASON"];
      const cells = (row: WireResource) => [
        paths.ofResource(row),
        row.resource_type,
        row.resource_status,
        ...(withIds ? [row.physical_resource_id] : []),
        row.resource_status_reason,
      ];
      session.print({ resources: rows }, () =>
        tableLines(headers, rows.map(cells), terminalWidth()),
      );
    },
  ),
};

const outputs: Declaration = {
  usage: "outputs <stack> [key]",
  summary: "all outputs, or the bare value of one",
  action: onHost(NO_OPTIONS, async (session, _options, nameOrId: string, key?: string) => {
    if (key === undefined) {
      const { stack } = await readStack(session, nameOrId);
      const all = stack.outputs ?? [];
      return session.print({ outputs: all }, () => all.map(outputLine));
    }
    const stack = await session.client.findStack(nameOrId);
    const path = `${stackPath(stack)}/outputs/${encodeURIComponent(key)}`;
    const answer = await session.client.request("GET", path, OutputAnswer);
    const { output_error: error, output_value: value } = answer.output;
    if (error) throw new CommandFailed(`The output ${key} cannot be computed: ${error}`);
    session.printNamed(answer, () => [namedText(value)]);
  }),
};

const outputLine = ({ output_error, output_key, output_value }: Output): string =>
  output_error
    ? `${oneLine(output_key)} (error: ${printable(output_error)})`
    : `${oneLine(output_key)} = ${printable(valueText(output_value))}`;
