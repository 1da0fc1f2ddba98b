/** The deployed functions: invocation by their logical names, and their log lines. */
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import type { connectionTo } from "./account.ts";
import { namesOf } from "./stage.ts";

/** A line that is no JSON has none of these. */
const logLine = z.looseObject({
  message: z.optional(z.unknown()),
  stackId: z.optional(z.unknown()),
  outcome: z.optional(z.unknown()),
  revision: z.optional(z.unknown()),
});
export type LogLine = z.infer<typeof logLine>;

export interface Functions {
  /** Every log line of every function as one text. */
  logsText(): Promise<string>;
  /** The structured lines of one function. */
  logLines(name: string): Promise<readonly LogLine[]>;
  /** Waits for the function's end, and throws its error. */
  invoke(name: string, event: object): Promise<void>;
  close(): void;
}

/** `Hearth-lane-EngineCheckResourceFunction…` becomes CheckResource. */
export const logicalName = (physicalName: string): string =>
  /Engine([A-Za-z]+?)(?:Function|Logs)/.exec(physicalName)?.[1] ?? physicalName;

export const openFunctions = (
  connection: ReturnType<typeof connectionTo>,
  stage: string,
): Functions => {
  const logs = new CloudWatchLogsClient(connection);
  const lambda = new LambdaClient(connection);
  const groups = async (): Promise<readonly string[]> => {
    const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({}));
    const names = logGroups.flatMap(({ logGroupName }) => logGroupName ?? []);
    return namesOf(stage, names);
  };
  return {
    logsText: async () => {
      const lines: string[] = [];
      for (const group of await groups()) lines.push(...(await linesOf(logs, group)));
      return lines.join("\n");
    },
    logLines: async (name) => {
      const group = (await groups()).find((candidate) => logicalName(candidate) === name);
      const lines = await linesOf(logs, present(group, `the log of ${name}`));
      return lines.flatMap(structured);
    },
    invoke: async (name, event) => {
      const { Functions: all = [] } = await lambda.send(new ListFunctionsCommand({}));
      const names = all.flatMap((found) => found.FunctionName ?? []);
      const own = namesOf(stage, names).find((candidate) => logicalName(candidate) === name);
      const FunctionName = present(own, `the function ${name}`);
      const Payload = JSON.stringify(event);
      const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
      if (answer.FunctionError !== undefined)
        throw new Error(`${name}: ${answer.Payload?.transformToString() ?? answer.FunctionError}`);
    },
    close: () => {
      for (const client of [logs, lambda]) client.destroy();
    },
  };
};

const linesOf = async (logs: CloudWatchLogsClient, logGroupName: string): Promise<string[]> => {
  const lines: string[] = [];
  let nextToken: string | undefined;
  do {
    const found = await logs.send(
      new FilterLogEventsCommand({ logGroupName, ...(nextToken && { nextToken }) }),
    );
    for (const { message = "" } of found.events ?? []) lines.push(message);
    nextToken = found.nextToken;
  } while (nextToken !== undefined);
  return lines;
};

/** An emulator may put several lines into one event. */
const structured = (event: string): readonly LogLine[] =>
  event.split("\n").flatMap((line): readonly LogLine[] => {
    try {
      const { data } = logLine.safeParse(JSON.parse(line));
      return data ? [data] : [];
    } catch {
      return [];
    }
  });
