import { type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { STACK_ACTIONS, STATUSES } from "#lib/model/action.ts";
import type { LATER_STACK_FIELDS, Stack, StackOwner, StackSnapshot } from "#lib/model/stack.ts";
import type { StackClause } from "#lib/ports/conditions.ts";
import type { Heartbeat, StackKey, StackNames, Stacks, UnsettledPage } from "#lib/ports/store.ts";
import { type Clause, itemDoesNotExist, itemExists, standsFor } from "./conditions.ts";
import {
  flag,
  id,
  type MayBeAbsent,
  number,
  oneOf,
  orFalse,
  orNull,
  orStoredNull,
  text,
  textList,
  ttlOf,
} from "./items/attributes.ts";
import { stackKey, stackKeyIn, stackNameKey, stackNamesOf, stacksOf, sweepKey } from "./keys.ts";
import { recordsIn } from "./records.ts";
import type { Attributes, Item, Table } from "./table.ts";
import { UNSETTLED_ATTRIBUTE, UNSETTLED_INDEX } from "./tables.ts";

const owner = z.codec(
  z.object({
    M: z.object({
      stackId: id,
      resourceId: id,
      resourceName: text,
      generation: number,
      childTraversalId: id,
      rootId: id,
      depth: number,
      step: z.exactOptional(oneOf(["second", "closed"])),
    }),
  }),
  z.custom<StackOwner>(),
  { decode: ({ M }) => M, encode: (M) => ({ M }) },
);

const snapshot = z.codec(
  z.object({ M: z.object({ id: text, name: orStoredNull(text), createdAt: number }) }),
  z.custom<StackSnapshot>(),
  { decode: ({ M }) => M, encode: ({ id, name, createdAt }) => ({ M: { id, name, createdAt } }) },
);

type SnapshotAttribute = z.input<typeof snapshot>;

/**
 * An empty list is an absent attribute, because most stacks have no snapshots and older items lack
 * it.
 */
const snapshots = z.codec(
  z.optional(z.object({ L: z.array(z.custom<SnapshotAttribute>()) })),
  z.custom<readonly StackSnapshot[]>(Array.isArray),
  {
    decode: (value) => (value?.L ?? []).map((one) => z.decode(snapshot, one)),
    encode: (values) =>
      values.length === 0 ? undefined : { L: values.map((one) => z.encode(snapshot, one)) },
  },
);

const laterFields = {
  actor: orNull(text),
  lastGoodTags: orNull(textList),
  lastGoodDescription: orNull(text),
  convergedAt: orNull(number),
  visitsAll: orFalse,
  converges: orFalse,
  abandonsUnreachable: orFalse,
  sentAt: orNull(number),
  owner: orNull(owner),
  expiresAt: orNull(number),
} satisfies Readonly<Record<keyof typeof LATER_STACK_FIELDS, MayBeAbsent>>;

const stackItem = z.object({
  ...laterFields,
  tenant: text,
  id: text,
  name: text,
  description: text,
  action: oneOf(STACK_ACTIONS),
  status: oneOf(STATUSES),
  statusReason: text,
  traversalId: text,
  traversalNumber: number,
  statusVersion: number,
  templateId: text,
  lastGood: orNull(text),
  running: orNull(text),
  overtook: flag,
  cleanupFailed: orNull(text),
  suspended: flag,
  deadline: number,
  timeoutMins: number,
  disableRollback: flag,
  tags: textList,
  snapshots,
  settled: flag,
  createdAt: number,
  updatedAt: orNull(number),
  endedAt: orNull(number),
  deletedAt: orNull(number),
});

const stackNameItem = z.object({
  stackId: text,
  createdAt: orNull(number),
});

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

const cursorCodec = z.codec(
  z.object({ M: z.object({ tenant: text, id: text }) }),
  z.custom<StackKey>(),
  { decode: ({ M }) => M, encode: ({ tenant, id }) => ({ M: { tenant, id } }) },
);

/** In a new deployment, a round that was cut off leaves a cursor without an end. */
const heartbeatItem = z.object({ at: orNull(number), cursor: orNull(cursorCodec) });

export const dynamoHeartbeat = (table: Table): Heartbeat => ({
  recordSweep: async (at) => {
    await table.update(sweepKey(), { set: z.encode(heartbeatItem.pick({ at: true }), { at }) }, []);
  },
  lastSweepAt: async () => {
    const item = await table.get(sweepKey());
    return item && heartbeatItem.parse(item).at;
  },
  putSweepCursor: async (cursor) => {
    const set = z.encode(heartbeatItem.pick({ cursor: true }), { cursor });
    await table.update(sweepKey(), { set: { cursor: undefined, ...set } }, []);
  },
  sweepCursor: async () => {
    const item = await table.get(sweepKey());
    return item && heartbeatItem.parse(item).cursor;
  },
});
