/**
 * One DynamoDB table. Reads are strongly consistent unless a query asks otherwise. A write whose
 * condition fails returns the stored item. Some emulators leave the item out, which costs one more
 * read.
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
import { allOf, anExpression, type Clause, type Expression } from "./conditions.ts";
import type { Partition } from "./keys.ts";
import { type Backoff, pauseOnce, sendLeftovers, systemBackoff } from "./leftovers.ts";
import type { Spill } from "./spill.ts";
import type { TableShape } from "./tables.ts";

export type Item = Record<string, AttributeValue>;
export type Attributes = { readonly [name: string]: AttributeValue | undefined };

export type ItemWrite =
  | { readonly written: true; readonly item: Item }
  | { readonly written: false; readonly item: Item | null };

export interface BatchRead {
  readonly items: readonly Item[];
  readonly unread: readonly Item[];
}

export interface ItemUpdate {
  readonly set: Attributes;
  readonly add?: Item;
}

export interface QueryOptions {
  readonly descending?: boolean;
  readonly eventual?: boolean;
  readonly index?: string;
  readonly only?: readonly string[];
  readonly limit?: number;
  readonly after?: Item;
}

export interface Table {
  get(key: Item): Promise<Item | null>;
  exists(key: Item): Promise<boolean>;
  /**
   * Reads at most 100 different keys. A busy DynamoDB may leave some of them unread. Then the
   * answer comes after a pause, because callers repeat the request at once.
   */
  readBatch(keys: readonly Item[]): Promise<BatchRead>;
  getAll(keys: readonly Item[]): Promise<readonly Item[]>;
  query(partition: Partition, options?: QueryOptions): AsyncGenerator<Item, void, undefined>;
  put(key: Item, attributes: Attributes, when: readonly Clause[]): Promise<ItemWrite>;
  update(key: Item, change: ItemUpdate, when: readonly Clause[]): Promise<ItemWrite>;
  delete(key: Item, when: readonly Clause[]): Promise<void>;
  deleteAll(keys: readonly Item[]): Promise<void>;
}

export const BATCH_WRITE_MAX = 25;
const KEY_BYTES_MAX = 1_024;
/** An item may be replaced between the read of the item and the read of its large values. */
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

const getStored = async (
  { client, name }: Place,
  key: Item,
  only: readonly string[] = [],
): Promise<Item | null> => {
  // A request can name any id. DynamoDB refuses a text that cannot be a key, so it is not asked.
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
 * Returns the item with its large values. If a value is gone, the item was changed after the read,
 * and is read again.
 * @returns null when the item no longer exists.
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
  readonly stored: Item | null;
}

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

/** The writer needs the former item to delete its large values. DynamoDB does not charge for it. */
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
    // The SDK may repeat an unconditional write late, which restores pointers to the former values.
    // So only the values of conditional writes are deleted.
    if (when.length > 0) await spill.drop(key, sent.answer, stored);
    return { written: true, item: { ...attributes, ...key } };
  }
  // The SDK may have sent an accepted write twice. Then the stored item points at these values, and
  // they must stay.
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
      sortKeyPrefix === ""
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
