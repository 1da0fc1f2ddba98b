import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  type ScanCommandOutput,
  TableAlreadyExistsException,
  type WriteRequest,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { DeleteObjectCommand, ListObjectVersionsCommand, type S3Client } from "@aws-sdk/client-s3";
import { RESTORED_TABLES, type RestoredTable, type StageOutputs } from "./stage-outputs.ts";

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

type Item = Record<string, AttributeValue>;

const writeAll = async (
  dynamo: DynamoDBClient,
  table: string,
  requests: readonly WriteRequest[],
): Promise<void> => {
  const batches = inBatches(requests, BATCH_ITEMS_MAX);
  for (const atOnce of inBatches(batches, BATCHES_AT_ONCE)) {
    await Promise.all(atOnce.map((batch) => writeBatch(dynamo, table, batch)));
  }
};

const eachPage = async (
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

/**
 * The time depends on the size of the table. If the wait is interrupted, call the command again.
 */
const COPY_SECONDS_MAX = 24 * 3_600;

const nameOf = (table: string, at: Date): string =>
  `${table}-at-${at.toISOString().replaceAll(/[:.]/g, "-")}`;

const copyAt = async (
  dynamo: DynamoDBClient,
  SourceTableName: string,
  at: Date,
): Promise<string> => {
  const TargetTableName = nameOf(SourceTableName, at);
  const command = { SourceTableName, TargetTableName, RestoreDateTime: at };
  try {
    await dynamo.send(new RestoreTableToPointInTimeCommand(command));
  } catch (error) {
    if (!(error instanceof TableAlreadyExistsException)) throw error;
  }
  const waiting = { client: dynamo, maxWaitTime: COPY_SECONDS_MAX };
  await waitUntilTableExists(waiting, { TableName: TargetTableName });
  return TargetTableName;
};

/**
 * Copies a stage's tables as they were at a second of the last 35 days. Such a copy has no stream,
 * no expiry and no recovery, so it can be a source but not replace a table of the stage.
 */
export const copiesAt = async (
  dynamo: DynamoDBClient,
  { Tables }: StageOutputs,
  at: Date,
): Promise<Readonly<Record<RestoredTable, string>>> => {
  const copies = await Promise.all(
    RESTORED_TABLES.map((table) => copyAt(dynamo, Tables[table], at)),
  );
  const [resources = "", softwareConfigs = "", events = "", apiTokens = "", stacks = ""] = copies;
  return { resources, softwareConfigs, events, apiTokens, stacks };
};

interface Difference {
  readonly written: number;
  readonly removed: number;
}

const keyNamesOf = async (
  dynamo: DynamoDBClient,
  TableName: string,
): Promise<readonly string[]> => {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
  return (Table?.KeySchema ?? []).flatMap(({ AttributeName = "" }) => AttributeName);
};

/**
 * Without `isReal` it only counts. Without `copy` it empties the table. A repeated run ends in the
 * same state.
 */
export const putBack = async (
  dynamo: DynamoDBClient,
  copy: string | null,
  table: string,
  isReal: boolean,
): Promise<Difference> => {
  const names = await keyNamesOf(dynamo, table);
  const keyOf = (item: Item): Item =>
    Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
  const kept = new Set<string>();
  let removed = 0;
  if (copy !== null) {
    await eachPage(dynamo, copy, async (items) => {
      for (const item of items) kept.add(JSON.stringify(keyOf(item)));
      const requests = items.map((Item) => ({ PutRequest: { Item } }));
      if (isReal) await writeAll(dynamo, table, requests);
    });
  }
  await eachPage(dynamo, table, async (items) => {
    const keys = items.map(keyOf).filter((key) => !kept.has(JSON.stringify(key)));
    removed += keys.length;
    const requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
    if (isReal) await writeAll(dynamo, table, requests);
  });
  return { written: kept.size, removed };
};

export const undelete = async (
  s3: S3Client,
  Bucket: string,
  since: Date,
  isReal: boolean,
): Promise<number> => {
  let count = 0;
  let from: { KeyMarker?: string; VersionIdMarker?: string } = {};
  for (;;) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket, ...from }));
    const { DeleteMarkers = [], IsTruncated, NextKeyMarker, NextVersionIdMarker } = page;
    for (const { Key, VersionId, IsLatest, LastModified } of DeleteMarkers) {
      if (IsLatest !== true || LastModified === undefined || LastModified < since) continue;
      if (isReal) await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
      count += 1;
    }
    if (IsTruncated !== true || NextKeyMarker === undefined) return count;
    from = {
      KeyMarker: NextKeyMarker,
      ...(NextVersionIdMarker === undefined ? {} : { VersionIdMarker: NextVersionIdMarker }),
    };
  }
};
