import * as z from "zod";
import { type Clause, itemDoesNotExist } from "./conditions.ts";
import type { Partition } from "./keys.ts";
import type { Attributes, Item, Table } from "./table.ts";

export interface Records<Record> {
  get(key: Item): Promise<Record | null>;
  list(partition: Partition): Promise<readonly Record[]>;
  put(key: Item, record: Record, when: readonly Clause[], beside?: Attributes): Promise<boolean>;
  insert(key: Item, record: Record, beside?: Attributes): Promise<boolean>;
}

export const recordsIn = <Schema extends z.ZodType<unknown, Attributes>>(
  table: Table,
  schema: Schema,
): Records<z.output<Schema>> => {
  const put: Records<z.output<Schema>>["put"] = async (key, record, when, beside = {}) =>
    (await table.put(key, { ...z.encode(schema, record), ...beside }, when)).written;
  return {
    get: async (key) => {
      const item = await table.get(key);
      return item && schema.parse(item);
    },
    list: async (partition) => {
      const records: z.output<Schema>[] = [];
      for await (const item of table.query(partition)) records.push(schema.parse(item));
      return records;
    },
    put,
    insert: (key, record, beside) => put(key, record, [itemDoesNotExist("pk")], beside),
  };
};
