import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
  type ScanCommandOutput,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";

const BATCH_ITEMS_MAX = 25;
const BATCHES_AT_ONCE = 8;
/** The number of tries of one batch. The pauses double each time, to 100 s in all. */
const TRIES_MAX = 10;
const PAUSE_MS_MIN = 100;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const writeBatch = async (
  dynamo: DynamoDBClient,
  table: string,
  requests: readonly WriteRequest[],
): Promise<void> => {
  let left = [...requests];
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tries > 0) await pause(PAUSE_MS_MIN * 2 ** tries);
    const { UnprocessedItems = {} } = await dynamo.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: left } }),
    );
    left = UnprocessedItems[table] ?? [];
    if (left.length === 0) return;
  }
  throw new Error(`${table} took only some of the items: it is throttled`);
};

const inBatches = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );

export type Item = Record<string, AttributeValue>;

export const writeAll = async (
  dynamo: DynamoDBClient,
  table: string,
  requests: readonly WriteRequest[],
): Promise<void> => {
  const batches = inBatches(requests, BATCH_ITEMS_MAX);
  for (const atOnce of inBatches(batches, BATCHES_AT_ONCE)) {
    await Promise.all(atOnce.map((batch) => writeBatch(dynamo, table, batch)));
  }
};

export const eachPage = async (
  dynamo: DynamoDBClient,
  TableName: string,
  take: (items: readonly Item[]) => Promise<void>,
): Promise<void> => {
  let from: Item | undefined;
  do {
    const page: ScanCommandOutput = await dynamo.send(
      new ScanCommand({
        TableName,
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    await take(page.Items ?? []);
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
};

export const copyTable = async (
  dynamo: DynamoDBClient,
  from: string,
  to: string,
): Promise<number> => {
  let count = 0;
  await eachPage(dynamo, from, async (items) => {
    await writeAll(
      dynamo,
      to,
      items.map((Item) => ({ PutRequest: { Item } })),
    );
    count += items.length;
  });
  return count;
};

export const countStacks = async (dynamo: DynamoDBClient, table: string): Promise<number> => {
  let count = 0;
  await eachPage(dynamo, table, async (items) => {
    count += items.filter((item) => "statusVersion" in item).length;
  });
  return count;
};
