/**
 * A value that is too large for an item spills: it is stored in S3, in a folder of this item alone,
 * and the item contains a pointer to it. So items stay far below DynamoDB's limit of 400 KB. The
 * value is stored before the item. A crash between the two leaves an object without a pointer,
 * which does no harm.
 */
import { createHash, randomUUID } from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { SPILLED_VALUES_MAX, type SpilledValues } from "#lib/ports/store.ts";
import type { Objects } from "./objects.ts";
import type { Item, Table } from "./table.ts";
import { SPILLED_ATTRIBUTE, TABLE_IDS, TABLES, type TableId } from "./tables.ts";

export const SPILL_BYTES_MIN = 65_536;
export const SPILLED_PREFIX = "spilled/";

export interface Spill {
  store(key: Item, attributes: Item): Promise<Item>;
  /**
   * @returns null when a value no longer exists, because the item was removed or replaced
   * meanwhile.
   */
  fetch(item: Item): Promise<Item | null>;
  /**
   * Deletes the values to which `former` points and `current` does not. In tables with a change
   * feed, the feed does this instead (tables.ts).
   */
  drop(key: Item, former: Item, current: Item): Promise<void>;
}

const pointer = z.strictObject({
  M: z.strictObject({
    spilled: z.object({ S: z.string() }),
    kind: z.object({ S: z.enum(["S", "B"]) }),
  }),
});
const attributesSchema = z.record(z.string(), z.unknown());
const mapSchema = z.object({ M: attributesSchema });

const spilledFrom = (table: TableId): Item => ({ [SPILLED_ATTRIBUTE]: { S: table } });

type KeyValues = { readonly [name: string]: { readonly S?: string | undefined } };

const spillFolder = (table: TableId, key: KeyValues): string => {
  const { partitionKey, sortKey } = TABLES[table];
  const pair = JSON.stringify([key[partitionKey]?.S, key[sortKey]?.S]);
  return `${table}/${createHash("sha256").update(pair).digest("hex")}/`;
};

const pointersIn = (attributes: unknown): readonly string[] =>
  Object.values(attributesSchema.parse(attributes)).flatMap((value) => {
    const found = pointer.safeParse(value).data;
    if (found) return [found.M.spilled.S];
    const map = mapSchema.safeParse(value).data;
    return map ? pointersIn(map.M) : [];
  });

/** Values of earlier versions are named by their hash alone, because items shared them. */
const objectKey = (name: string): string => SPILLED_PREFIX + name;

const mapValues = async (
  item: Item,
  change: (value: AttributeValue) => Promise<AttributeValue>,
): Promise<Item> => {
  const entries = Object.entries(item).map(
    async ([name, value]): Promise<[string, AttributeValue]> => [name, await change(value)],
  );
  return Object.fromEntries(await Promise.all(entries));
};

const bodyOf = (value: AttributeValue): { body: Uint8Array; kind: "S" | "B" } | null => {
  if (value.B !== undefined)
    return value.B.length >= SPILL_BYTES_MIN ? { body: value.B, kind: "B" } : null;
  if (value.S === undefined || value.S.length * 3 < SPILL_BYTES_MIN) return null;
  const body = Buffer.from(value.S);
  return body.length >= SPILL_BYTES_MIN ? { body, kind: "S" } : null;
};

export const spillInto = (objects: Objects, table: TableId): Spill => {
  const { largeValues } = TABLES[table];
  const byWriter = largeValues === "go by the writer";
  /**
   * An item may be created again with the key of one that its writer has removed. So a value that
   * the writer deletes has a name that no other write uses.
   */
  const nameOf = (body: Uint8Array): string =>
    byWriter ? randomUUID() : createHash("sha256").update(body).digest("hex");

  const storeIn = (folder: string, item: Item, stored: string[]): Promise<Item> =>
    mapValues(item, async (value) => {
      if (value.M !== undefined) return { M: await storeIn(folder, value.M, stored) };
      const large = bodyOf(value);
      if (large === null) return value;
      const name = folder + nameOf(large.body);
      await objects.putIfAbsent(objectKey(name), large.body, "application/octet-stream");
      stored.push(name);
      return { M: { spilled: { S: name }, kind: { S: large.kind } } };
    });

  return {
    store: async (key, attributes) => {
      if (largeValues === "none") return attributes;
      const stored: string[] = [];
      const item = await storeIn(spillFolder(table, key), attributes, stored);
      return byWriter || stored.length === 0 ? item : { ...item, ...spilledFrom(table) };
    },
    fetch: (item) => fetchAll(objects, item),
    drop: async (key, former, current) => {
      if (!byWriter) return;
      const folder = spillFolder(table, key);
      const kept = new Set(pointersIn(current));
      const gone = pointersIn(former).filter((name) => name.startsWith(folder) && !kept.has(name));
      await Promise.all(gone.map((name) => objects.delete(objectKey(name))));
    },
  };
};

const hasMap = (item: Item): boolean => Object.values(item).some(({ M }) => M !== undefined);

const fetchAll = async (objects: Objects, item: Item): Promise<Item | null> => {
  let isWhole = true;
  const fetchIn = (from: Item): Promise<Item> => mapValues(from, fetchValue);
  const fetchValue = async (value: AttributeValue): Promise<AttributeValue> => {
    if (value.M === undefined) return value;
    if (value.M["spilled"] === undefined) return { M: await fetchIn(value.M) };
    const { spilled, kind } = pointer.parse(value).M;
    const body = await objects.get(objectKey(spilled.S));
    if (body === null) {
      isWhole = false;
      return value;
    }
    return kind.S === "B" ? { B: body } : { S: Buffer.from(body).toString("utf8") };
  };
  if (!hasMap(item)) return item;
  const fetched = await fetchIn(item);
  return isWhole ? fetched : null;
};

const keySchema = z.record(z.string(), z.object({ S: z.string() }));
const spilledSchema = z.object({ [SPILLED_ATTRIBUTE]: z.object({ S: z.enum(TABLE_IDS) }) });

export const s3SpilledValues = (
  objects: Objects,
  openTable: (id: TableId) => Table,
): SpilledValues => ({
  removedItem: ({ Keys, OldImage = {} }) => {
    if (!(SPILLED_ATTRIBUTE in OldImage)) return null;
    const table = spilledSchema.parse(OldImage)[SPILLED_ATTRIBUTE].S;
    const key = keySchema.parse(Keys);
    const folder = SPILLED_PREFIX + spillFolder(table, key);
    return {
      exists: () => openTable(table).exists(key),
      listValues: () => objects.list(folder, SPILLED_VALUES_MAX),
      deleteValue: (value) => objects.delete(value),
    };
  },
});
