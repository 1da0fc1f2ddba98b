import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { SendTaskSuccessCommand, SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import type { Ender, Starter } from "#functions/supervise-stacks/supervisor.ts";
import { classing, clientOptions } from "#lib/adapters/aws/clients.ts";
import type { Platform } from "./environment.ts";

/** The longest stack operation and a margin. Later the token is useless. */
const TOKEN_SECONDS_MAX = 15 * 86_400;

const isOneOf = (error: unknown, names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

const ended =
  (sfn: SFNClient): Ender["end"] =>
  async (taskToken, outcome) => {
    try {
      await sfn.send(
        new SendTaskSuccessCommand({ taskToken, output: JSON.stringify({ outcome }) }),
      );
    } catch (error) {
      if (!isOneOf(error, ["TaskTimedOut", "TaskDoesNotExist", "InvalidToken"])) throw error;
    }
  };

export const starter = (
  sfn: SFNClient,
  dynamo: DynamoDBClient,
  stateMachineArn: string,
  table: string,
): Starter => ({
  start: async (watch) => {
    try {
      await sfn.send(
        new StartExecutionCommand({
          stateMachineArn,
          name: watch.traversalId,
          input: JSON.stringify(watch),
        }),
      );
    } catch (error) {
      if (!isOneOf(error, ["ExecutionAlreadyExists"])) throw error;
    }
  },
  getToken: async (traversalId) => {
    const { Item } = await dynamo.send(
      new GetItemCommand({
        TableName: table,
        Key: { pk: { S: traversalId } },
        ConsistentRead: true,
      }),
    );
    return Item?.["token"]?.S ?? null;
  },
  end: ended(sfn),
});

/**
 * Throttling becomes RetryLater, which the state machine retries. Any other failure ends the
 * execution.
 */
export const openEnder = (platform: Platform, table: string, clock: { now(): number }): Ender => {
  const sfn = new SFNClient(clientOptions(platform));
  const dynamo = new DynamoDBClient(clientOptions(platform));
  sfn.middlewareStack.use(classing());
  dynamo.middlewareStack.use(classing());
  return ender(sfn, dynamo, table, clock);
};

const ender = (
  sfn: SFNClient,
  dynamo: DynamoDBClient,
  table: string,
  clock: { now(): number },
): Ender => ({
  putToken: async (traversalId, token) => {
    const ttl = Math.ceil(clock.now() / 1_000) + TOKEN_SECONDS_MAX;
    const Item = { pk: { S: traversalId }, token: { S: token }, ttl: { N: String(ttl) } };
    await dynamo.send(new PutItemCommand({ TableName: table, Item }));
  },
  end: ended(sfn),
});
