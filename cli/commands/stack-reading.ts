/** The commands that only read: list, show, events, resources, outputs. */
import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { openNestedPaths } from "#client/nested-paths.ts";
import { pause } from "#client/pause.ts";
import { readDiagnosis, tryDiagnosis } from "#client/stack-diagnosis.ts";
import {
  type Output,
  OutputAnswer,
  StackAnswer,
  StacksAnswer,
  type WireEvent,
  type WireStack,
} from "#client/wire.ts";
import { causeLines, isWrong, stackDiagnosisLines } from "../diagnosis-lines.ts";
import { CommandFailed, EXIT_FAILED } from "../failure.ts";
import { eventLine, stackLines, tableLines, valueText, writeLines } from "../print.ts";
import { openSession, readOptions, type Session } from "../session.ts";

const FOLLOW_MS = 1_000;

const nestedDepth = z.coerce.number().int().nonnegative().default(0);
const EventOptions = z.object({ follow: z.boolean().default(false), nestedDepth });
const ResourceOptions = z.object({ nestedDepth });
const ListOptions = z.object({ nested: z.boolean().default(false) });
const NESTED_DEPTH = "-n, --nested-depth <levels>";

export const addReadingCommands = (stack: Command): void => {
  stack
    .command("list")
    .summary("the stacks of the project")
    .option("--nested", "include nested stacks")
    .action(list);
  stack.command("show <stack>").summary("a stack with its parameters and outputs").action(show);
  stack
    .command("diagnose <stack>")
    .summary("say what each unfinished resource waits for; exits with 1 if something is wrong")
    .action(diagnose);
  stack
    .command("events <stack>")
    .summary("the events of a stack, oldest first")
    .option("-f, --follow", "go on with new events, until Ctrl-C")
    .option(NESTED_DEPTH, "include this many levels of nested stacks")
    .action(events);
  stack
    .command("resources <stack>")
    .summary("the resources of a stack")
    .option(NESTED_DEPTH, "include this many levels of nested stacks")
    .action(resources);
  stack
    .command("outputs <stack> [key]")
    .summary("all outputs, or the bare value of one")
    .action(outputs);
};

const readStack = (session: Session, nameOrId: string) =>
  session.client.request("GET", `/stacks/${encodeURIComponent(nameOrId)}`, StackAnswer);

const list = async (_options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { nested } = readOptions(ListOptions, command);
  const path = nested ? "/stacks?show_nested=true" : "/stacks";
  const answer = await session.client.request("GET", path, StacksAnswer);
  const headers = ["NAME", "STATUS", "CREATED", "UPDATED", "ID"];
  const cells = ({ creation_time, id, stack_name, stack_status, updated_time }: WireStack) => [
    stack_name,
    stack_status,
    creation_time,
    updated_time,
    id,
  ];
  session.print(answer, () => tableLines(headers, answer.stacks.map(cells)));
};

const show = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const answer = await readStack(session, nameOrId);
  const { stack } = answer;
  const asks = !session.json && !stack.stack_status.endsWith("_COMPLETE");
  const explained = asks ? await tryDiagnosis(session.client, stack) : null;
  session.print(answer, () => [
    ...stackLines(stack),
    ...(explained === null ? [] : causeLines(stack, explained.diagnosis, terminalWidth())),
  ]);
};

/** Lines in a pipe are for programs, and are not broken. */
const terminalWidth = (): number =>
  process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;

const diagnose = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const stack = await session.client.findStack(nameOrId);
  const answer = await readDiagnosis(session.client, stack);
  session.print(answer, () => stackDiagnosisLines(stack, answer.diagnosis, terminalWidth()));
  if (answer.diagnosis.resources.some(isWrong)) process.exitCode = EXIT_FAILED;
};

const events = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const { follow, ...query } = readOptions(EventOptions, command);
  const session = openSession(command);
  const found = await session.client.findStack(nameOrId);
  if (follow) return followEvents(session, found, query);
  const all = await session.client.events(found, query);
  const paths = openNestedPaths(found);
  paths.learnEvents(all);
  const line = (event: WireEvent) => eventLine(event, paths.ofEvent(event));
  session.print({ events: all }, () => all.map(line));
};

const resources = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const query = readOptions(ResourceOptions, command);
  const found = await session.client.findStack(nameOrId);
  const rows = await session.client.resources(found, query);
  const paths = openNestedPaths(found);
  paths.learnResources(rows);
  const headers = ["NAME", "TYPE", "STATUS", "PHYSICAL ID", "REASON"];
  session.print({ resources: rows }, () =>
    tableLines(
      headers,
      rows.map((row) => [
        paths.ofResource(row),
        row.resource_type,
        row.resource_status,
        row.physical_resource_id,
        row.resource_status_reason,
      ]),
    ),
  );
};

const outputs = async (
  nameOrId: string,
  key: string | undefined,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  if (key === undefined) {
    const { stack } = await readStack(session, nameOrId);
    const all = stack.outputs ?? [];
    return session.print({ outputs: all }, () => all.map((output) => outputLine(output)));
  }
  const found = await session.client.findStack(nameOrId);
  const path = `${stackPath(found)}/outputs/${encodeURIComponent(key)}`;
  const answer = await session.client.request("GET", path, OutputAnswer);
  const { output_error: error, output_value: value } = answer.output;
  if (error) throw new CommandFailed(`The output ${key} cannot be computed: ${error}`);
  session.print(answer, () => [valueText(value)]);
};

const outputLine = ({ output_error, output_key, output_value }: Output): string =>
  output_error
    ? `${output_key} (error: ${output_error})`
    : `${output_key} = ${valueText(output_value)}`;

/** With `--json`: one document a line. Ctrl-C ends it, as it ends `tail -f`. */
const followEvents = async (
  session: Session,
  stack: WireStack,
  query: { readonly nestedDepth: number },
): Promise<void> => {
  const paths = openNestedPaths(stack);
  const line = (event: WireEvent) =>
    session.json ? JSON.stringify(event) : eventLine(event, paths.ofEvent(event));
  let marker: string | null = null;
  for (;;) {
    const events = await session.client.events(stack, { ...query, marker });
    paths.learnEvents(events);
    writeLines(events.map(line));
    marker = events.at(-1)?.id ?? marker;
    await pause(FOLLOW_MS);
  }
};
