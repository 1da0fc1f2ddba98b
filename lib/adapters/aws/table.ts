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
import { Bug, RetryLater } from "#lib/errors.ts";
import { allOf, anExpression, type Clause, type Expression } from "./conditions/expression.ts";
import type { Partition } from "./keys.ts";
import { type Backoff, pauseOnce, sendLeftovers, systemBackoff } from "./leftovers.ts";
import type { Spill } from "./spill.ts";
import type { TableShape } from "./tables.ts";

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
  /** Reads no large value. */
  exists(key: Item): Promise<boolean>;
  /**
   * Reads at most 100 different keys. A busy DynamoDB may leave some of them unread. Then the
   * answer comes after a pause, because the caller asks for them again at once.
   */
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
const KEY_BYTES_MAX = 1_024;
/** An item may be replaced between two tries of reading it and its large values. */
const WHOLE_TRIES_MAX = 5;

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

export type KeyShape = Pick<TableShape, "partitionKey" | "sortKey" | "largeValues">;

interface Place {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly spill: Spill;
  readonly shape: KeyShape;
  readonly backoff: Backoff;
}

export const openTable = (
  client: DynamoDBClient,
  name: string,
  shape: KeyShape,
  spill: Spill,
  backoff: Backoff = systemBackoff(),
): Table => {
  const place = { client, name, spill, shape, backoff };
  return {
    get: (key) => get(place, key),
    exists: async (key) => (await getStored(place, key, [shape.partitionKey])) !== null,
    readBatch: async (keys) => {
      const read = await readBatch(place, keys);
      if (read.unread.length > 0) await pauseOnce(backoff);
      return read;
    },
    getAll: (keys) => getAll(place, keys.filter(isKey)),
    query: (partition, options) => queryPages(place, partition, options),
    put: (key, attributes, when) => put(place, key, present(attributes), when),
    update: (key, change, when) => update(place, key, change, when),
    delete: (key, when) => deleteItem(place, key, when),
    deleteAll: (keys) => deleteAll(place, keys),
  };
};

/** The item as it is stored, with pointers. */
const getStored = async (
  { client, name }: Place,
  key: Item,
  only: readonly string[] = [],
): Promise<Item | null> => {
  // Requests choose ids freely. DynamoDB refuses a text that cannot be a key, so it is not asked.
  if (!isKey(key)) return null;
  const expression = anExpression();
  const ProjectionExpression = only.map(expression.name).join(", ");
  const { Item: item = null } = await client.send(
    new GetItemCommand({
      TableName: name,
      Key: key,
      ConsistentRead: true,
      ...(only.length > 0 && { ProjectionExpression, ...expression.bound() }),
    }),
  );
  return item;
};

const get = async (place: Place, key: Item): Promise<Item | null> =>
  whole(place, await getStored(place, key));

const keyOf = ({ partitionKey, sortKey }: KeyShape, item: Item): Item =>
  Object.fromEntries(
    Object.entries(item).filter(([name]) => name === partitionKey || name === sortKey),
  );

/**
 * The item with its large values. If one is gone, the item has changed since it was read, and is
 * read again. Null if there is no such item any more.
 */
const whole = async (place: Place, stored: Item | null): Promise<Item | null> => {
  let read = stored;
  for (let tries = 0; tries < WHOLE_TRIES_MAX && read !== null; tries++) {
    const item = await place.spill.fetch(read);
    if (item !== null) return item;
    read = await getStored(place, keyOf(place.shape, read));
  }
  if (read === null) return null;
  throw new Bug(`large values of ${JSON.stringify(keyOf(place.shape, read))} are gone`);
};

const wholeItems = async (place: Place, stored: readonly Item[]): Promise<readonly Item[]> => {
  const items = await Promise.all(stored.map((item) => whole(place, item)));
  return items.filter((item) => item !== null);
};

type Sent = { readonly written: true; readonly answer: Item } | Refusal;
interface Refusal {
  readonly written: false;
  /** With pointers. */
  readonly stored: Item | null;
}

/** A refusal has no item if there is none, or if an emulator leaves it out. */
const orRefused = async (
  place: Place,
  key: Item,
  write: () => Promise<{ readonly Attributes?: Item | undefined }>,
): Promise<Sent> => {
  try {
    return { written: true, answer: (await write()).Attributes ?? {} };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, stored: error.Item ?? (await getStored(place, key)) };
  }
};

const readBatch = async (place: Place, keys: readonly Item[]): Promise<BatchRead> => {
  const { client, name } = place;
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetItemCommand({
      RequestItems: { [name]: { Keys: [...keys], ConsistentRead: true } },
    }),
  );
  return {
    items: await wholeItems(place, Responses?.[name] ?? []),
    unread: UnprocessedKeys?.[name]?.Keys ?? [],
  };
};

const conditionParts = (when: readonly Clause[], expression = anExpression()) => {
  const condition = when.length > 0 ? { ConditionExpression: allOf(when, expression) } : {};
  return { ...condition, ...expression.bound() };
};

/** Asks for the former item, if the writer deletes its large values. That costs nothing. */
const formerItem = ({ largeValues }: KeyShape) =>
  largeValues === "go by the writer" ? { ReturnValues: "ALL_OLD" as const } : {};

const put = async (
  place: Place,
  key: Item,
  attributes: Item,
  when: readonly Clause[],
): Promise<ItemWrite> => {
  const { client, name, spill, shape } = place;
  const stored = await spill.store(key, attributes);
  const sent = await orRefused(place, key, () =>
    client.send(
      new PutItemCommand({
        TableName: name,
        Item: { ...stored, ...key },
        ...conditionParts(when),
        ...formerItem(shape),
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    ),
  );
  if (sent.written) {
    // A late second try of a write without a condition may point at the former values again.
    if (when.length > 0) await spill.drop(key, sent.answer, stored);
    return { written: true, item: { ...attributes, ...key } };
  }
  // The SDK may have sent an accepted write twice. Then the stored item points at these values.
  await spill.drop(key, stored, sent.stored ?? {});
  return { written: false, item: await whole(place, sent.stored) };
};

const update = async (
  place: Place,
  key: Item,
  { set, add }: ItemUpdate,
  when: readonly Clause[],
): Promise<ItemWrite> => {
  const { client, name, spill } = place;
  const stored = { ...set, ...(await spill.store(key, present(set))) };
  const expression = anExpression();
  const UpdateExpression = updateExpression({ set: stored, ...(add && { add }) }, expression);
  const sent = await orRefused(place, key, () =>
    client.send(
      new UpdateItemCommand({
        TableName: name,
        Key: key,
        UpdateExpression,
        ...conditionParts(when, expression),
        ReturnValues: "ALL_NEW",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    ),
  );
  if (!sent.written) return { written: false, item: await whole(place, sent.stored) };
  const item = await spill.fetch(sent.answer);
  if (item === null) throw new RetryLater(`an item of ${name} was removed after its update`);
  return { written: true, item };
};

const deleteItem = async (place: Place, key: Item, when: readonly Clause[]): Promise<void> => {
  const { client, name, spill, shape } = place;
  const sent = await orRefused(place, key, () =>
    client.send(
      new DeleteItemCommand({
        TableName: name,
        Key: key,
        ...conditionParts(when),
        ...formerItem(shape),
      }),
    ),
  );
  if (sent.written) await spill.drop(key, sent.answer, {});
};

async function* queryPages(
  place: Place,
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
    const page = await place.client.send(
      new QueryCommand({
        TableName: place.name,
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
    for (const item of await wholeItems(place, page.Items ?? [])) yield item;
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

const getAll = async (place: Place, keys: readonly Item[]): Promise<readonly Item[]> => {
  const items: Item[] = [];
  const failure = `${place.name} does not complete a batch of reads`;
  await sendLeftovers(place.backoff, keys, failure, async (open) => {
    const read = await readBatch(place, open);
    items.push(...read.items);
    return read.unread;
  });
  return items;
};

const deleteAll = async (
  { client, name, backoff }: Place,
  keys: readonly Item[],
): Promise<void> => {
  const failure = `${name} does not complete a batch of deletions`;
  await sendLeftovers(backoff, keys, failure, async (open) => {
    const requests = open.map((Key) => ({ DeleteRequest: { Key } }));
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [name]: requests } }),
    );
    return (UnprocessedItems?.[name] ?? []).flatMap(({ DeleteRequest }) =>
      DeleteRequest?.Key ? [DeleteRequest.Key] : [],
    );
  });
};
