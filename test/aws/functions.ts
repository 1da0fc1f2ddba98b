import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-cloudwatch-logs";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import type { Connection } from "./connection.ts";
import type { StackResources } from "./stack-resources.ts";

const logLine = z.looseObject({
  message: z.optional(z.unknown()),
  stackId: z.optional(z.unknown()),
  outcome: z.optional(z.unknown()),
  revision: z.optional(z.unknown()),
});
export type LogLine = z.infer<typeof logLine>;

export interface Functions {
  logsText(): Promise<string>;
  logLines(name: string): Promise<readonly LogLine[]>;
  invoke(name: string, event: object): Promise<void>;
  close(): void;
}

export const functionNames = (resources: StackResources): ReadonlyMap<string, string> => {
  const named = /^Engine(\w+)Function$/;
  const all = [...resources.idsOf("AWS::Lambda::Function")];
  return new Map(
    all.flatMap(([name, id]) => {
      const logical = named.exec(name)?.[1];
      return logical === undefined ? [] : [[logical, id] as const];
    }),
  );
};

export const openFunctions = (connection: Connection, resources: StackResources): Functions => {
  const logs = new CloudWatchLogsClient(connection);
  const lambda = new LambdaClient(connection);
  const names = functionNames(resources);
  const groups = resources.idsOf("AWS::Logs::LogGroup");
  /** LocalStack always writes to the group of the function's own name, even if another is set. */
  const groupsOf = (name: string): readonly string[] => [
    ...[groups.get(`Engine${name}Logs`) ?? []].flat(),
    `/aws/lambda/${names.get(name) ?? name}`,
  ];
  const eventsOf = async (name: string): Promise<string[]> =>
    (await Promise.all(groupsOf(name).map((group) => linesOf(logs, group)))).flat();
  return {
    logsText: async () => {
      const lines: string[] = [];
      for (const name of names.keys()) lines.push(...(await eventsOf(name)));
      return lines.join("\n");
    },
    logLines: async (name) => (await eventsOf(name)).flatMap(structured),
    invoke: async (name, event) => {
      const FunctionName = resources.idOf("AWS::Lambda::Function", `Engine${name}Function`);
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

/** A function that has not run may have no log group. */
const linesOf = async (logs: CloudWatchLogsClient, logGroupName: string): Promise<string[]> => {
  const lines: string[] = [];
  let nextToken: string | undefined;
  do {
    const asked = new FilterLogEventsCommand({ logGroupName, ...(nextToken && { nextToken }) });
    const found = await logs.send(asked).catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return { events: [], nextToken: undefined };
      throw error;
    });
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
