/** Stacks and their names. */
import { type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { SomeUnreadable } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { StackNames, Stacks } from "#lib/ports/store.ts";
import { itemDoesNotExist, itemExists, standsFor } from "./conditions/item-clauses.ts";
import { stackClause } from "./conditions/stack-clauses.ts";
import { stackItem, stackNameItem } from "./items/stack-item.ts";
import { pairSchema, stackKey, stackNameKey, stackNamesOf, stacksOf } from "./keys.ts";
import { recordsIn } from "./records.ts";
import type { Attributes, Item, Table } from "./table.ts";
import { UNSETTLED_ATTRIBUTE, UNSETTLED_INDEX } from "./tables.ts";
import { ttlOf } from "./ttl.ts";

const decode = (item: Item): Stack => stackItem.parse(item);

const UNSETTLED = "yes";
/** The attributes beside the fields of the record that are set. */
const beside = ({ settled, expiresAt }: Partial<Stack>): Attributes => ({
  ...(settled !== undefined && { [UNSETTLED_ATTRIBUTE]: settled ? undefined : { S: UNSETTLED } }),
  ...(expiresAt !== undefined && ttlOf(expiresAt)),
});

export const dynamoStacks = (client: DynamoDBClient, tableName: string, table: Table): Stacks => {
  const stacks = recordsIn(table, stackItem);
  return {
    createStack: async (stack) => {
      const key = stackKey(stack.tenant, stack.id);
      const isNew = await stacks.insert(key, stack, beside(stack));
      return isNew ? "created" : "exists";
    },
    getStack: (tenant, id) => stacks.get(stackKey(tenant, id)),
    getStacks: async (tenant, ids) =>
      (await table.getAll(ids.map((id) => stackKey(tenant, id)))).map(decode),
    listStacksById: async (tenant, marker, limit) => {
      const after = marker === null ? {} : { after: stackKey(tenant, marker) };
      const page: Stack[] = [];
      for await (const item of table.query(stacksOf(tenant), { limit, ...after })) {
        page.push(decode(item));
        if (page.length === limit) break;
      }
      return page;
    },
    listStacks: async (tenant) => {
      const all = await stacks.list(stacksOf(tenant));
      return all.toSorted((left, right) => right.createdAt - left.createdAt);
    },
    listUnsettledStacks: async () => {
      const keys = await unsettledKeys(client, tableName);
      const reads = await inTurn(keys, stacks.get);
      // The index may be stale: the items decide.
      const unsettled = reads.flatMap((read) =>
        read.status === "fulfilled" && read.value?.settled === false ? [read.value] : [],
      );
      const failed = reads.filter((read) => read.status === "rejected");
      if (failed.length === 0) return unsettled;
      const options = { cause: failed[0]?.reason };
      throw new SomeUnreadable(`${failed.length} of ${keys.length} stacks`, unsettled, options);
    },
    writeStack: async (tenant, id, when, change) => {
      const set = { ...z.encode(stackItem.partial(), change), ...beside(change) };
      const write = await table.update(
        stackKey(tenant, id),
        { set, add: { statusVersion: { N: "1" } } },
        [itemExists("pk"), ...when.map(stackClause)],
      );
      return write.written
        ? { written: true, stack: decode(write.item) }
        : { written: false, stack: write.item && decode(write.item) };
    },
  };
};

const PARALLEL_READS_MAX = 25;

const inTurn = async <From, To>(
  all: readonly From[],
  read: (one: From) => Promise<To>,
): Promise<readonly PromiseSettledResult<To>[]> => {
  const done: PromiseSettledResult<To>[] = [];
  for (let at = 0; at < all.length; at += PARALLEL_READS_MAX)
    done.push(...(await Promise.allSettled(all.slice(at, at + PARALLEL_READS_MAX).map(read))));
  return done;
};

const unsettledKeys = async (client: DynamoDBClient, table: string): Promise<readonly Item[]> => {
  const keys: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: UNSETTLED_INDEX,
        KeyConditionExpression: "#unsettled = :unsettled",
        ExpressionAttributeNames: { "#unsettled": UNSETTLED_ATTRIBUTE },
        ExpressionAttributeValues: { ":unsettled": { S: UNSETTLED } },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    keys.push(...(page.Items ?? []).map((item) => pairSchema.parse(item)));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return keys;
};

export const dynamoStackNames = (table: Table): StackNames => {
  const names = recordsIn(table, stackNameItem);
  return {
    putStackName: async (tenant, name, stackId) => {
      const attributes = z.encode(stackNameItem, { stackId });
      const key = stackNameKey(tenant, name);
      const write = await table.put(key, attributes, [itemDoesNotExist("pk")]);
      return write.written || write.item === null
        ? stackId
        : stackNameItem.parse(write.item).stackId;
    },
    getStackName: async (tenant, name) =>
      (await names.get(stackNameKey(tenant, name)))?.stackId ?? null,
    takeOverStackName: async (tenant, name, oldId, newId) => {
      const set = z.encode(stackNameItem, { stackId: newId });
      const key = stackNameKey(tenant, name);
      return (await table.update(key, { set }, [standsFor(oldId)])).written;
    },
    listNamedStacks: async (tenant) =>
      (await names.list(stackNamesOf(tenant))).map(({ stackId }) => stackId),
    deleteStackName: (tenant, name, stackId) =>
      table.delete(stackNameKey(tenant, name), [standsFor(stackId)]),
  };
};
