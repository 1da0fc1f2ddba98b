/**
 * The items of one table. Each partition is kept in the order of its sort key, so a write costs the
 * same in a large table as in a small one.
 */
import type { CreateTableCommandInput, GlobalSecondaryIndex } from "@aws-sdk/client-dynamodb";
import { itemBytes } from "../item-bytes.ts";
import { refused } from "./refusals.ts";
import { compareTexts, type Item } from "./values.ts";

export const ITEM_BYTES_MAX = 409_600;
const KEY_BYTES_MAX = 1_024;

export interface Stored {
  readonly item: Item;
  readonly bytes: number;
}

interface Keys {
  readonly partitionKey: string;
  readonly sortKey: string | undefined;
}

export interface Place {
  readonly partition: string;
  readonly sort: string;
}

class Partition {
  readonly #bySort = new Map<string, Stored>();
  readonly #order: string[] = [];

  get(sort: string): Stored | undefined {
    return this.#bySort.get(sort);
  }

  put(sort: string, stored: Stored): void {
    if (!this.#bySort.has(sort)) this.#order.splice(this.#position(sort), 0, sort);
    this.#bySort.set(sort, stored);
  }

  delete(sort: string): boolean {
    if (this.#bySort.delete(sort)) this.#order.splice(this.#position(sort), 1);
    return this.#order.length === 0;
  }

  *from(prefix: string, after: string | null, descending: boolean): Generator<Stored> {
    const at = this.#position(after ?? (descending ? `${prefix}\u{10ffff}` : prefix));
    const isThere = after !== null && this.#order[at] === after;
    const step = descending ? -1 : 1;
    let next = descending ? at - 1 : at + (isThere ? 1 : 0);
    for (let sort = this.#order[next]; sort?.startsWith(prefix); sort = this.#order[next]) {
      const stored = this.#bySort.get(sort);
      if (stored !== undefined) yield stored;
      next += step;
    }
  }

  #position(sort: string): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareTexts(this.#order[middle] ?? "", sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const keysIn = (schema: CreateTableCommandInput["KeySchema"]): Keys => ({
  partitionKey: schema?.find(({ KeyType }) => KeyType === "HASH")?.AttributeName ?? "",
  sortKey: schema?.find(({ KeyType }) => KeyType === "RANGE")?.AttributeName,
});

const keyText = (key: Item, name: string): string => {
  const text = key[name]?.S ?? "";
  if (text === "" || Buffer.byteLength(text) > KEY_BYTES_MAX)
    throw refused(`the key ${name} is no text that a key can be`);
  return text;
};

export class StoredTable {
  readonly keys: Keys;
  readonly #indexes: readonly GlobalSecondaryIndex[];
  readonly #partitions = new Map<string, Partition>();

  constructor({ KeySchema, GlobalSecondaryIndexes = [] }: CreateTableCommandInput) {
    this.keys = keysIn(KeySchema);
    this.#indexes = GlobalSecondaryIndexes;
  }

  get partitionKey(): string {
    return this.keys.partitionKey;
  }

  placeOf(key: Item): Place {
    const place = this.placeIn(key);
    if (Object.keys(key).length !== (this.keys.sortKey === undefined ? 1 : 2))
      throw refused("the key has other attributes than its table");
    return place;
  }

  placeIn(item: Item): Place {
    const { partitionKey, sortKey } = this.keys;
    const sort = sortKey === undefined ? "" : keyText(item, sortKey);
    return { partition: keyText(item, partitionKey), sort };
  }

  isKey(name: string): boolean {
    return name === this.keys.partitionKey || name === this.keys.sortKey;
  }

  keyOf(item: Item): Item {
    return Object.fromEntries(Object.entries(item).filter(([name]) => this.isKey(name)));
  }

  get({ partition, sort }: Place): Stored | undefined {
    return this.#partitions.get(partition)?.get(sort);
  }

  put({ partition, sort }: Place, item: Item): Stored {
    const stored = { item, bytes: itemBytes(item) };
    if (stored.bytes > ITEM_BYTES_MAX)
      throw refused(`Item size has exceeded the maximum allowed size: ${stored.bytes}`);
    const found = this.#partitions.get(partition) ?? new Partition();
    this.#partitions.set(partition, found);
    found.put(sort, stored);
    return stored;
  }

  delete({ partition, sort }: Place): void {
    if (this.#partitions.get(partition)?.delete(sort)) this.#partitions.delete(partition);
  }

  partition(
    partition: string,
    { prefix, after, descending }: { prefix: string; after: Item | undefined; descending: boolean },
  ): Iterable<Stored> {
    const from = after === undefined ? null : this.placeIn(after).sort;
    return this.#partitions.get(partition)?.from(prefix, from, descending) ?? [];
  }

  index(name: string): StoredIndex {
    const found = this.#indexes.find(({ IndexName }) => IndexName === name);
    if (found === undefined) throw refused(`The table does not have the specified index: ${name}`);
    return new StoredIndex(this, found);
  }

  *all(): Generator<Stored> {
    for (const name of [...this.#partitions.keys()].toSorted(compareTexts))
      yield* this.partition(name, { prefix: "", after: undefined, descending: false });
  }
}

/** The index is read from the table itself, so it is never behind it, as it can be on AWS. */
class StoredIndex {
  readonly #table: StoredTable;
  readonly #projected: ReadonlySet<string> | null;
  readonly #keys: Keys;

  constructor(table: StoredTable, { KeySchema, Projection }: GlobalSecondaryIndex) {
    this.#table = table;
    this.#keys = keysIn(KeySchema);
    const isAll = Projection?.ProjectionType === "ALL";
    this.#projected = isAll ? null : new Set(Projection?.NonKeyAttributes ?? []);
  }

  get partitionKey(): string {
    return this.#keys.partitionKey;
  }

  keyOf(item: Item): Item {
    return Object.fromEntries(Object.entries(item).filter(([name]) => this.#isKey(name)));
  }

  *partition(
    value: string,
    { prefix, after, descending }: { prefix: string; after: Item | undefined; descending: boolean },
  ): Generator<Stored> {
    const { partitionKey, sortKey } = this.#keys;
    const own =
      partitionKey === this.#table.keys.partitionKey && sortKey === this.#table.keys.sortKey;
    const entries = own
      ? this.#table.partition(value, { prefix, after, descending })
      : this.#behind(after);
    for (const { item } of entries) {
      if (item[partitionKey]?.S !== value) continue;
      const entry = Object.fromEntries(
        Object.entries(item).filter(
          ([name]) => this.#projected?.has(name) !== false || this.#isKey(name),
        ),
      );
      yield { item: entry, bytes: itemBytes(entry) };
    }
  }

  #isKey(name: string): boolean {
    const { partitionKey, sortKey } = this.#keys;
    return this.#table.isKey(name) || name === partitionKey || name === sortKey;
  }

  *#behind(after: Item | undefined): Generator<Stored> {
    const last = after && this.#table.placeIn(after);
    for (const stored of this.#table.all()) {
      if (last !== undefined) {
        const { partition, sort } = this.#table.placeIn(stored.item);
        const order = compareTexts(partition, last.partition) || compareTexts(sort, last.sort);
        if (order <= 0) continue;
      }
      yield stored;
    }
  }
}
