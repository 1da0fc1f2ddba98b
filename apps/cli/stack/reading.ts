import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { openNestedPaths, stackPaths } from "#client/nested-paths.ts";
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
import { filled, flag, instantOption } from "../options.ts";
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

const long = flag;
const DEPTH_TEXT = "--nested-depth is a whole number, 0 or more";
const nestedDepth = z.coerce.number(DEPTH_TEXT).int(DEPTH_TEXT).nonnegative(DEPTH_TEXT).default(0);
const LIMIT_TEXT = "--limit is a whole number, 1 or more";
const EventOptions = z.object({
  follow: flag,
  nestedDepth,
  resource: filled("--resource"),
  since: instantOption("--since", Date.now).optional(),
  limit: z.coerce.number(LIMIT_TEXT).int(LIMIT_TEXT).min(1, LIMIT_TEXT).optional(),
});
const LONG = "--long";
const NESTED_DEPTH = "-n, --nested-depth <levels>";

export const addReadingCommands = (stack: Command): void =>
  declare(stack, list, show, diagnose, events, watch, resources, outputs);

const readStack = async ({ client }: Session, nameOrId: string) => {
  const isBelow = nameOrId.includes("/");
  const path = isBelow
    ? stackPath(await client.findStack(nameOrId))
    : `/stacks/${encodeURIComponent(nameOrId)}`;
  return client.request("GET", path, StackAnswer);
};

const list: Declaration = {
  usage: "list",
  summary: "the stacks of the project",
  options: (command) =>
    command.option("--nested", "include nested stacks").option(LONG, "with ids"),
  action: onHost(z.object({ nested: flag, long }), async (session, { nested, long: withIds }) => {
    const path = nested ? "/stacks?show_nested=true" : "/stacks";
    const answer = await session.client.request("GET", path, StacksAnswer);
    const pathOf = stackPaths(answer.stacks);
    const headers = ["NAME", "STATUS", "CREATED", "UPDATED", ...(withIds ? ["ID"] : [])];
    const cells = (stack: WireStack) => [
      pathOf(stack),
      stack.stack_status,
      stack.creation_time,
      stack.updated_time,
      ...(withIds ? [stack.id] : []),
    ];
    session.print(answer, () => tableLines(headers, answer.stacks.map(cells)));
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
  options: (command) =>
    command
      .option("-f, --follow", "go on with new events, until Ctrl-C")
      .option("--resource <name>", "only those of this resource")
      .option("--since <time>", "only those since 10m, 2h or 7d ago, or since 2026-01-31T12:00:00Z")
      .option("--limit <number>", "only the newest so many")
      .option(NESTED_DEPTH, "include this many levels of nested stacks"),
  action: onStack(EventOptions, async (session, stack, options) => {
    const { showEvents } = await import("./events.ts");
    await showEvents(session, stack, options);
  }),
};

const watch: Declaration = {
  usage: "watch <stack>",
  summary: "show what runs in a stack until it ends",
  options: (command) => command.option("--wait-timeout <time>", "stop after 90s, 10m or 2h"),
  action: onStack(NO_OPTIONS, async (session, stack) => {
    const { watchUntilItEnds } = await import("./follow.ts");
    await watchUntilItEnds(session, stack);
  }),
};

const resources: Declaration = {
  usage: "resources <stack>",
  summary: "the resources of a stack",
  options: (command) =>
    command
      .option(LONG, "with the ids of their objects")
      .option(NESTED_DEPTH, "include this many levels of nested stacks"),
  action: onStack(
    z.object({ nestedDepth, long }),
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
