/**
 * One table. Reads are strongly consistent unless a query asks otherwise. Writes are conditional. A
 * refused condition is an answer that contains the stored item. For emulators that leave the item
 * out it costs one more read.
 */
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { RetryLater } from "#lib/errors.ts";
import { allOf, anExpression, type Clause, type Expression } from "./conditions/expression.ts";
import type { Partition } from "./keys.ts";
import type { Spill } from "./spill.ts";

export type Item = Record<string, AttributeValue>;
/** Undefined is an absent attribute. */
export type Attributes = { readonly [name: string]: AttributeValue | undefined };

export type ItemWrite =
  | { readonly written: true; readonly item: Item }
  | { readonly written: false; readonly item: Item | null };

export interface BatchRead {
  readonly items: readonly Item[];
  /** Keys. */
  readonly unread: readonly Item[];
}

/** Attributes to set, undefined ones to remove, and numbers or sets to add to. */
export interface ItemUpdate {
  readonly set: Attributes;
  readonly add?: Item;
}

export interface QueryOptions {
  readonly descending?: boolean;
  /** Costs half as much, and may miss the writes of the last moments. */
  readonly eventual?: boolean;
  /** Queries this index instead of the table. An index has eventual reads only. */
  readonly index?: string;
  /** Reads only these attributes. */
  readonly only?: readonly string[];
  /** The most items of a page, for a caller that needs no more. */
  readonly limit?: number;
  /** Begins after this key. */
  readonly after?: Item;
}

export interface Table {
  get(key: Item): Promise<Item | null>;
  /** Reads at most 100 different keys. A busy DynamoDB may leave some of them unread. */
  readBatch(keys: readonly Item[]): Promise<BatchRead>;
  /** The items with these keys that exist, in no order. At most 100 different keys. */
  getAll(keys: readonly Item[]): Promise<readonly Item[]>;
  /** The items of a partition in the order of their sort key. Pages are read as they are needed. */
  query(partition: Partition, options?: QueryOptions): AsyncGenerator<Item, void, undefined>;
  put(key: Item, attributes: Attributes, when: readonly Clause[]): Promise<ItemWrite>;
  /** Returns the whole new item, or the stored one if the write was refused. */
  update(key: Item, change: ItemUpdate, when: readonly Clause[]): Promise<ItemWrite>;
  delete(key: Item, when: readonly Clause[]): Promise<void>;
  /** Deletes at most BATCH_WRITE_MAX items. */
  deleteAll(keys: readonly Item[]): Promise<void>;
}

export const BATCH_WRITE_MAX = 25;
const BATCH_TRIES_MAX = 5;
const KEY_BYTES_MAX = 1_024;

const isKeyText = (text: string): boolean =>
  text !== "" && Buffer.byteLength(text) <= KEY_BYTES_MAX;

const isKey = (key: Item): boolean => Object.values(key).every(({ S = "" }) => isKeyText(S));

const present = (attributes: Attributes): Item =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );

const updateExpression = ({ set, add = {} }: ItemUpdate, expression: Expression): string => {
  const { name, value } = expression;
  const sets: string[] = [];
  const removes: string[] = [];
  for (const [attribute, stored] of Object.entries(set)) {
    if (stored === undefined) removes.push(name(attribute));
    else sets.push(`${name(attribute)} = ${value(stored)}`);
  }
  const adds = Object.entries(add).map(([attribute, by]) => `${name(attribute)} ${value(by)}`);
  return [
    sets.length > 0 ? `SET ${sets.join(", ")}` : "",
    removes.length > 0 ? `REMOVE ${removes.join(", ")}` : "",
    adds.length > 0 ? `ADD ${adds.join(", ")}` : "",
  ].join(" ");
};

export const openTable = (client: DynamoDBClient, name: string, spill: Spill): Table => {
  const get = async (key: Item): Promise<Item | null> => {
    // Requests choose ids freely. DynamoDB refuses a text that cannot be a key, so it is not asked.
    if (!isKey(key)) return null;
    const { Item: item } = await client.send(
      new GetItemCommand({ TableName: name, Key: key, ConsistentRead: true }),
    );
    return item ? spill.fetch(item) : null;
  };
  /** A refusal has no item if there is none, or if an emulator leaves it out. */
  const orRefused = async (write: () => Promise<Item>, key: Item): Promise<ItemWrite> => {
    try {
      return { written: true, item: await write() };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const item = error.Item ? await spill.fetch(error.Item) : await get(key);
      return { written: false, item };
    }
  };

  return {
    get,
    readBatch: (keys) => readBatch(client, name, spill, keys),
    getAll: (keys) => getAll(client, name, spill, keys.filter(isKey)),
    query: (partition, options) => queryPages(client, name, spill, partition, options),
    put: (key, attributes, when) =>
      orRefused(() => put(client, name, spill, key, present(attributes), when), key),
    update: (key, change, when) =>
      orRefused(() => update(client, name, spill, key, change, when), key),
    delete: async (key, when) => {
      await orRefused(async () => {
        await client.send(
          new DeleteItemCommand({ TableName: name, Key: key, ...conditionParts(when) }),
        );
        return key;
      }, key);
    },
    deleteAll: (keys) => deleteAll(client, name, keys),
  };
};

const readBatch = async (
  client: DynamoDBClient,
  table: string,
  spill: Spill,
  keys: readonly Item[],
): Promise<BatchRead> => {
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetItemCommand({
      RequestItems: { [table]: { Keys: [...keys], ConsistentRead: true } },
    }),
  );
  return {
    items: await Promise.all((Responses?.[table] ?? []).map(spill.fetch)),
    unread: UnprocessedKeys?.[table]?.Keys ?? [],
  };
};

const conditionParts = (when: readonly Clause[], expression = anExpression()) => {
  const condition = when.length > 0 ? { ConditionExpression: allOf(when, expression) } : {};
  return { ...condition, ...expression.bound() };
};

const put = async (
  client: DynamoDBClient,
  table: string,
  spill: Spill,
  key: Item,
  attributes: Item,
  when: readonly Clause[],
): Promise<Item> => {
  await client.send(
    new PutItemCommand({
      TableName: table,
      Item: { ...(await spill.store(attributes)), ...key },
      ...conditionParts(when),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
  return { ...attributes, ...key };
};

const update = async (
  client: DynamoDBClient,
  table: string,
  spill: Spill,
  key: Item,
  { set, add }: ItemUpdate,
  when: readonly Clause[],
): Promise<Item> => {
  const stored = { ...set, ...(await spill.store(present(set))) };
  const expression = anExpression();
  const UpdateExpression = updateExpression({ set: stored, ...(add && { add }) }, expression);
  const { Attributes: item = {} } = await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: key,
      UpdateExpression,
      ...conditionParts(when, expression),
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
  return spill.fetch(item);
};

async function* queryPages(
  client: DynamoDBClient,
  table: string,
  spill: Spill,
  { attribute, value, sortKeyPrefix }: Partition,
  { descending = false, eventual = false, index, only, limit, after }: QueryOptions = {},
): AsyncGenerator<Item, void, undefined> {
  if (!isKeyText(value)) return;
  let from = after;
  do {
    const expression = anExpression();
    const isPartition = `${expression.name(attribute)} = ${expression.text(value)}`;
    const begins =
      sortKeyPrefix === undefined
        ? ""
        : ` AND begins_with(${expression.name("sk")}, ${expression.text(sortKeyPrefix)})`;
    const ProjectionExpression = only?.map(expression.name).join(", ");
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        ...(index !== undefined && { IndexName: index }),
        KeyConditionExpression: isPartition + begins,
        ...(ProjectionExpression !== undefined && { ProjectionExpression }),
        ...expression.bound(),
        ...(from && { ExclusiveStartKey: from }),
        ...(limit !== undefined && { Limit: limit }),
        ConsistentRead: !eventual,
        ScanIndexForward: !descending,
      }),
    );
    for (const item of await Promise.all((page.Items ?? []).map(spill.fetch))) yield item;
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

/** A busy DynamoDB may leave keys of a batch unread. They are asked for again. */
const getAll = async (
  client: DynamoDBClient,
  table: string,
  spill: Spill,
  keys: readonly Item[],
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let open = keys;
  for (let tries = 0; open.length > 0; tries++) {
    if (tries === BATCH_TRIES_MAX)
      throw new RetryLater(`${table} does not complete a batch of reads`);
    const read = await readBatch(client, table, spill, open);
    items.push(...read.items);
    open = read.unread;
  }
  return items;
};

/** A busy DynamoDB may leave part of a batch undone. That part is sent again. */
const deleteAll = async (
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
): Promise<void> => {
  let open = keys.map((Key) => ({ DeleteRequest: { Key } }));
  for (let tries = 0; open.length > 0; tries++) {
    if (tries === BATCH_TRIES_MAX)
      throw new RetryLater(`${table} does not complete a batch of deletions`);
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: open } }),
    );
    open = (UnprocessedItems?.[table] ?? []).flatMap(({ DeleteRequest }) =>
      DeleteRequest?.Key ? [{ DeleteRequest: { Key: DeleteRequest.Key } }] : [],
    );
  }
};
