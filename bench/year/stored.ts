/** What the tables and the bucket hold, and until when. */
import { type AttributeValue, type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { openClients } from "#lib/adapters/aws/clients.ts";
import { TABLE_IDS, type TableId, TTL_ATTRIBUTE } from "#lib/adapters/aws/tables.ts";
import type { AwsTarget } from "#test/contract/aws-emulators.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** DynamoDB's own overhead of an item. */
const ITEM_BYTES = 100;

export interface StoredTable {
  readonly id: TableId;
  readonly items: number;
  readonly bytes: number;
  /** Each byte times the days until its item expires. */
  readonly byteDays: number;
  /** The bytes of items that never expire. */
  readonly lastingBytes: number;
}

export interface Stored {
  readonly tables: readonly StoredTable[];
  readonly objects: number;
}

type Item = Readonly<Record<string, AttributeValue>>;

/** As DynamoDB counts: the bytes of names and values. */
const bytesOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + valueBytes(value), 0);

const valueBytes = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.length;
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  if (value.L) return value.L.reduce((sum, one) => sum + valueBytes(one) + 1, 3);
  if (value.M) return bytesOf(value.M) + 3 + Object.keys(value.M).length;
  const texts = value.SS ?? value.NS ?? value.BS?.map((one) => "x".repeat(one.length)) ?? [];
  return texts.reduce((sum, one) => sum + one.length, 1);
};

const storedIn = async (
  client: DynamoDBClient,
  id: TableId,
  TableName: string,
  now: number,
): Promise<StoredTable> => {
  const stored = { id, items: 0, bytes: 0, byteDays: 0, lastingBytes: 0 };
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    for (const item of Items) {
      const bytes = bytesOf(item) + ITEM_BYTES;
      const ttl = item[TTL_ATTRIBUTE]?.N;
      stored.items += 1;
      stored.bytes += bytes;
      if (ttl === undefined) stored.lastingBytes += bytes;
      else stored.byteDays += bytes * Math.max(0, (Number(ttl) * SECOND_MS - now) / DAY_MS);
    }
  }
  return stored;
};

export const readStored = async (
  { connection, place }: AwsTarget,
  now: number,
): Promise<Stored> => {
  const clients = openClients(connection);
  const tables: StoredTable[] = [];
  for (const id of TABLE_IDS)
    tables.push(await storedIn(clients.dynamo, id, place.tables[id], now));
  const Bucket = place.bucket;
  const { Contents = [] } = await clients.s3.send(new ListObjectsV2Command({ Bucket }));
  clients.close();
  return { tables, objects: Contents.length };
};
