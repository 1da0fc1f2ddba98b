import { type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import type { Stack } from "#lib/model/stack.ts";
import type { StackClause } from "#lib/ports/conditions.ts";
import type { StackKey, StackNames, Stacks, UnsettledPage } from "#lib/ports/store.ts";
import type { Clause } from "./conditions/expression.ts";
import { itemDoesNotExist, itemExists, standsFor } from "./conditions/item-clauses.ts";
import { stackItem, stackNameItem } from "./items/stack-item.ts";
import { stackKey, stackKeyIn, stackNameKey, stackNamesOf, stacksOf } from "./keys.ts";
import { recordsIn } from "./records.ts";
import type { Attributes, Item, Table } from "./table.ts";
import { UNSETTLED_ATTRIBUTE, UNSETTLED_INDEX } from "./tables.ts";
import { ttlOf } from "./ttl.ts";

const stackClause =
  (clause: StackClause): Clause =>
  ({ name, number, text }) => {
    switch (clause.clause) {
      case "traversalIs":
        return `${name("traversalId")} = ${text(clause.traversalId)}`;
      case "statusVersionIs":
        return `${name("statusVersion")} = ${number(clause.statusVersion)}`;
      case "inProgress":
        return `${name("status")} = ${text("IN_PROGRESS")}`;
    }
  };

const changeItem = stackItem.partial();

const decode = (item: Item): Stack => stackItem.parse(item);

const UNSETTLED = "yes";
const UNSETTLED_ITEM: Item = { [UNSETTLED_ATTRIBUTE]: { S: UNSETTLED } };
const beside = ({ settled, expiresAt }: Partial<Stack>): Attributes => ({
  ...(settled === true && { [UNSETTLED_ATTRIBUTE]: undefined }),
  ...(settled === false && UNSETTLED_ITEM),
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
    listUnsettledStacks: (after, limit) => unsettledPage(client, tableName, after, limit),
    writeStack: async (tenant, id, when, change) => {
      const set = { ...z.encode(changeItem, change), ...beside(change) };
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

/** The index contains only keys. A page can begin at a key even if its stack no longer exists. */
const unsettledPage = async (
  client: DynamoDBClient,
  table: string,
  after: StackKey | null,
  limit: number,
): Promise<UnsettledPage> => {
  const page = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: UNSETTLED_INDEX,
      KeyConditionExpression: "#unsettled = :unsettled",
      ExpressionAttributeNames: { "#unsettled": UNSETTLED_ATTRIBUTE },
      ExpressionAttributeValues: { ":unsettled": { S: UNSETTLED } },
      Limit: limit,
      ...(after && {
        ExclusiveStartKey: { ...stackKey(after.tenant, after.id), ...UNSETTLED_ITEM },
      }),
    }),
  );
  return {
    stacks: (page.Items ?? []).map(stackKeyIn),
    next: page.LastEvaluatedKey === undefined ? null : stackKeyIn(page.LastEvaluatedKey),
  };
};

export const dynamoStackNames = (table: Table): StackNames => {
  const names = recordsIn(table, stackNameItem);
  return {
    putStackName: async (tenant, name, { id, createdAt }) => {
      const attributes = z.encode(stackNameItem, { stackId: id, createdAt });
      const key = stackNameKey(tenant, name);
      const write = await table.put(key, attributes, [itemDoesNotExist("pk")]);
      return write.written || write.item === null ? id : stackNameItem.parse(write.item).stackId;
    },
    getStackName: async (tenant, name) =>
      (await names.get(stackNameKey(tenant, name)))?.stackId ?? null,
    takeOverStackName: async (tenant, name, oldId, { id, createdAt }) => {
      const set = z.encode(stackNameItem, { stackId: id, createdAt });
      const key = stackNameKey(tenant, name);
      return (await table.update(key, { set }, [standsFor(oldId)])).written;
    },
    listNamedStacks: async (tenant) =>
      (await names.list(stackNamesOf(tenant))).map(({ stackId, createdAt }) => ({
        id: stackId,
        createdAt,
      })),
    deleteStackName: (tenant, name, stackId) =>
      table.delete(stackNameKey(tenant, name), [standsFor(stackId)]),
  };
};
