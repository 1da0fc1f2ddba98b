/**
 * A DynamoDB in this process: the operations that the adapters use, on objects instead of HTTP. It
 * answers at once, and calls never overlap. Items do not expire. The contracts test it
 * (aws-in-process.test.ts).
 */
import type {
  BatchGetItemCommandInput,
  BatchWriteItemCommandInput,
  CreateTableCommandInput,
  DeleteItemCommandInput,
  GetItemCommandInput,
  PutItemCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type Bound, type Compiled, condition } from "./conditions.ts";
import { queryPage } from "./query.ts";
import { conditionFailed, refused } from "./refusals.ts";
import { boundIn, consumed, consumedBatch, readUnits, writeUnits } from "./requests.ts";
import { type Stored, StoredTable } from "./stored-table.ts";
import { projection, update } from "./updates.ts";
import { copyOfItem, type Item } from "./values.ts";

const BATCH_READ_KEYS_MAX = 100;
const BATCH_WRITE_KEYS_MAX = 25;
const BATCH_BYTES_MAX = 16 * 1_024 * 1_024;
const NOTHING: Item = {};

const compiled = <Run>(
  compile: (text: string) => Compiled<Run>,
  text: string | undefined,
): Compiled<Run> | undefined => (text === undefined ? undefined : compile(text));

export class InProcessDynamo {
  readonly #tables = new Map<string, StoredTable>();

  readonly operations = {
    CreateTable: (input: CreateTableCommandInput) => {
      const { TableName = "" } = input;
      if (this.#tables.has(TableName)) throw refused("the table exists", "ResourceInUseException");
      this.#tables.set(TableName, new StoredTable(input));
      return {};
    },
    DescribeTable: ({ TableName }: { TableName: string | undefined }) => {
      this.#table(TableName);
      return { Table: { TableName, TableStatus: "ACTIVE" } };
    },
    DeleteTable: ({ TableName = "" }: { TableName: string | undefined }) => {
      this.#tables.delete(TableName);
      return {};
    },
    UpdateTimeToLive: () => ({}),
    GetItem: (input: GetItemCommandInput) => this.#get(input),
    PutItem: (input: PutItemCommandInput) => this.#put(input),
    UpdateItem: (input: UpdateItemCommandInput) => this.#update(input),
    DeleteItem: (input: DeleteItemCommandInput) => this.#delete(input),
    /** One page contains the whole table. */
    Scan: ({ TableName }: ScanCommandInput) => ({
      Items: [...this.#table(TableName).all()].map(({ item }) => item),
    }),
    Query: (input: QueryCommandInput) => queryPage(this.#table(input.TableName), input),
    BatchGetItem: (input: BatchGetItemCommandInput) => this.#batchGet(input),
    BatchWriteItem: (input: BatchWriteItemCommandInput) => this.#batchWrite(input),
  };

  #table(name: string | undefined): StoredTable {
    const table = this.#tables.get(name ?? "");
    if (table === undefined) throw refused(`no table ${name}`, "ResourceNotFoundException");
    return table;
  }

  #get(input: GetItemCommandInput) {
    const { TableName = "", Key = {}, ConsistentRead = false, ProjectionExpression } = input;
    const table = this.#table(TableName);
    const picked = compiled(projection, ProjectionExpression);
    const bound = boundIn(input, picked);
    const stored = table.get(table.placeOf(Key));
    const item = stored && (picked?.run(stored.item, bound) ?? stored.item);
    const units = readUnits(stored?.bytes ?? 0, ConsistentRead);
    return { ...(item && { Item: item }), ...consumed(input, TableName, units) };
  }

  #check(
    input: PutItemCommandInput | UpdateItemCommandInput | DeleteItemCommandInput,
    test: Compiled<ReturnType<typeof condition>["run"]> | undefined,
    bound: Bound,
    stored: Stored | undefined,
  ): void {
    if (test === undefined || test.run(stored?.item ?? NOTHING, bound)) return;
    const shows = input.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    throw conditionFailed(shows && stored !== undefined ? stored.item : null);
  }

  #put(input: PutItemCommandInput) {
    const { TableName = "", Item: written = {}, ConditionExpression, ReturnValues } = input;
    const table = this.#table(TableName);
    const place = table.placeIn(written);
    const test = compiled(condition, ConditionExpression);
    const before = table.get(place);
    this.#check(input, test, boundIn(input, test), before);
    const after = table.put(place, copyOfItem(written));
    return {
      ...(ReturnValues === "ALL_OLD" && before && { Attributes: before.item }),
      ...consumed(input, TableName, writeUnits(before, after)),
    };
  }

  #update(input: UpdateItemCommandInput) {
    const { TableName = "", Key = {}, ConditionExpression, UpdateExpression = "" } = input;
    const table = this.#table(TableName);
    const place = table.placeOf(Key);
    const test = compiled(condition, ConditionExpression);
    const { run, placeholders } = update(UpdateExpression);
    const bound = boundIn(input, test, { run, placeholders });
    const targets = run.targets.map((word) => bound.names[word] ?? word);
    if (targets.some((name) => table.isKey(name))) throw refused("an update changes the key");
    const before = table.get(place);
    this.#check(input, test, bound, before);
    const item = { ...copyOfItem(Key), ...before?.item };
    run.change(item, bound);
    const after = table.put(place, Object.freeze(item));
    const shown = {
      ALL_NEW: item,
      ALL_OLD: before?.item,
      UPDATED_NEW: Object.fromEntries(
        Object.entries(item).filter(([name]) => targets.includes(name)),
      ),
      UPDATED_OLD: undefined,
      NONE: undefined,
    }[input.ReturnValues ?? "NONE"];
    return {
      ...(shown && { Attributes: shown }),
      ...consumed(input, TableName, writeUnits(before, after)),
    };
  }

  #delete(input: DeleteItemCommandInput) {
    const { TableName = "", Key = {}, ConditionExpression, ReturnValues } = input;
    const table = this.#table(TableName);
    const place = table.placeOf(Key);
    const test = compiled(condition, ConditionExpression);
    const before = table.get(place);
    this.#check(input, test, boundIn(input, test), before);
    table.delete(place);
    return {
      ...(ReturnValues === "ALL_OLD" && before && { Attributes: before.item }),
      ...consumed(input, TableName, writeUnits(before)),
    };
  }

  #batchGet(input: BatchGetItemCommandInput) {
    const requests = Object.entries(input.RequestItems ?? {});
    const units = new Map<string, number>();
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: NonNullable<BatchGetItemCommandInput["RequestItems"]> = {};
    let [count, bytes] = [0, 0];
    for (const [name, { Keys = [], ConsistentRead = false }] of requests) {
      const table = this.#table(name);
      const places = Keys.map((key) => table.placeOf(key));
      count += places.length;
      refuseRepeated(places);
      const found: Item[] = [];
      const unread: Item[] = [];
      for (const [at, place] of places.entries()) {
        const stored = table.get(place);
        bytes += stored?.bytes ?? 0;
        if (bytes > BATCH_BYTES_MAX) unread.push(Keys[at] ?? {});
        else {
          if (stored !== undefined) found.push(stored.item);
          const read = readUnits(stored?.bytes ?? 0, ConsistentRead);
          units.set(name, (units.get(name) ?? 0) + read);
        }
      }
      Responses[name] = found;
      if (unread.length > 0) UnprocessedKeys[name] = { Keys: unread, ConsistentRead };
    }
    if (count > BATCH_READ_KEYS_MAX) throw refused("a batch reads too many keys");
    return { Responses, UnprocessedKeys, ...consumedBatch(input, units) };
  }

  /** Accepts deletions only, because the adapters make no other batch. */
  #batchWrite(input: BatchWriteItemCommandInput) {
    const requests = Object.entries(input.RequestItems ?? {});
    const count = requests.reduce((sum, [, { length }]) => sum + length, 0);
    if (count > BATCH_WRITE_KEYS_MAX) throw refused("a batch writes too many items");
    const units = new Map<string, number>();
    for (const [name, writes] of requests) {
      const table = this.#table(name);
      const places = writes.map(({ DeleteRequest }) => {
        if (DeleteRequest?.Key === undefined) throw refused("only deletions are known here");
        return table.placeOf(DeleteRequest.Key);
      });
      refuseRepeated(places);
      for (const place of places) {
        units.set(name, (units.get(name) ?? 0) + writeUnits(table.get(place)));
        table.delete(place);
      }
    }
    return { UnprocessedItems: {}, ...consumedBatch(input, units) };
  }
}

const refuseRepeated = (places: readonly { partition: string; sort: string }[]): void => {
  const distinct = new Set(places.map(({ partition, sort }) => JSON.stringify([partition, sort])));
  if (distinct.size < places.length)
    throw refused("Provided list of item keys contains duplicates");
};
