/**
 * Rows. An accepted write is one request. Only a write that may also insert can need a second one.
 */
import * as z from "zod";
import { assert, RetryLater } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import { type RowClause, rowClauseHolds } from "#lib/ports/conditions.ts";
import type { ResourceKey, Resources, RowChange, RowOutline, RowWrite } from "#lib/ports/store.ts";
import { itemDoesNotExist, itemExists } from "./conditions/item-clauses.ts";
import { rowClause } from "./conditions/row-clauses.ts";
import { resourceItem } from "./items/resource-item.ts";
import { resourceKey, resourcesOf } from "./keys.ts";
import { recordsIn } from "./records.ts";
import type { Attributes, Item, ItemUpdate, Table } from "./table.ts";
import { ttlOf } from "./ttl.ts";

/** A row may be inserted or deleted between two tries of one write, but not this often. */
const WRITE_TRIES_MAX = 4;

/** Of rows that are rarely longer than four kilobytes: DynamoDB's page has a megabyte. */
const ROWS_IN_PAGE_MAX = 250;

const decode = (item: Item): Resource => resourceItem.parse(item);

const outlineItem = resourceItem.pick({
  id: true,
  name: true,
  type: true,
  action: true,
  status: true,
  templateId: true,
  physicalResourceId: true,
  replaces: true,
  replacedBy: true,
  createdAt: true,
  updatedAt: true,
});
const OUTLINE_ATTRIBUTES = Object.keys(outlineItem.shape);

const encodeWhole = (row: Resource): Attributes => ({
  ...z.encode(resourceItem, row),
  ...ttlOf(row.expiresAt),
});

const encodeChange = ({ set, addSignal = false }: RowChange): ItemUpdate => {
  const signals = addSignal && set.signals !== undefined ? { signals: set.signals + 1 } : {};
  const addsSignal = addSignal && set.signals === undefined;
  return {
    set: {
      ...z.encode(resourceItem.partial(), { ...set, ...signals }),
      ...(set.expiresAt === undefined ? {} : ttlOf(set.expiresAt)),
    },
    add: { version: { N: "1" }, ...(addsSignal && { signals: { N: "1" } }) },
  };
};

const answer = (write: { written: boolean; item: Item | null }): RowWrite =>
  write.written && write.item
    ? { written: true, row: decode(write.item) }
    : { written: false, row: write.item && decode(write.item) };

export const dynamoResources = (table: Table): Resources => {
  const rows = recordsIn(table, resourceItem);
  const insert = async (
    key: ResourceKey,
    row: NonNullable<RowChange["insert"]>,
  ): Promise<RowWrite> => {
    assert(row.stackId === key.stackId && row.id === key.id, `row ${key.id} inserts another`);
    const attributes = encodeWhole({ ...row, version: 1 });
    return answer(await table.put(resourceKey(key), attributes, [itemDoesNotExist("id")]));
  };
  const update = async (
    key: ResourceKey,
    when: readonly RowClause[],
    change: RowChange,
  ): Promise<RowWrite> =>
    answer(
      await table.update(resourceKey(key), encodeChange(change), [
        itemExists("id"),
        ...when.map(rowClause),
      ]),
    );

  return {
    getResource: (key) => rows.get(resourceKey(key)),
    listResources: (stackId) => rows.list(resourcesOf(stackId)),
    listRows: async (stackId, after) => {
      const page: Resource[] = [];
      const begin = after === null ? {} : { after: resourceKey({ stackId, id: after }) };
      const options = { limit: ROWS_IN_PAGE_MAX, ...begin };
      for await (const item of table.query(resourcesOf(stackId), options)) {
        page.push(decode(item));
        if (page.length === ROWS_IN_PAGE_MAX) return { rows: page, next: page.at(-1)?.id ?? null };
      }
      return { rows: page, next: null };
    },
    listRowOutlines: async (stackId) => {
      const outlines: RowOutline[] = [];
      for await (const item of table.query(resourcesOf(stackId), { only: OUTLINE_ATTRIBUTES })) {
        outlines.push(outlineItem.parse(item));
      }
      return outlines;
    },
    getResources: async (stackId, ids) =>
      (await table.getAll(ids.map((id) => resourceKey({ stackId, id })))).map(decode),
    writeResource: async (key, when, change) => {
      const { insert: wholeRow } = change;
      const mayInsert =
        wholeRow !== undefined && when.every((clause) => rowClauseHolds(clause, null));
      const mustInsert = when.some(({ clause }) => clause === "absent");
      for (let tries = 0; tries < WRITE_TRIES_MAX; tries++) {
        // An insert and an update are different requests. Only a refusal tells which one is needed.
        if (!mustInsert) {
          const write = await update(key, when, change);
          if (write.written || write.row !== null || !mayInsert) return write;
        }
        if (!mayInsert) return { written: false, row: await rows.get(resourceKey(key)) };
        const write = await insert(key, wholeRow);
        if (write.written || mustInsert) return write;
      }
      throw new RetryLater(`row ${key.id} is inserted and deleted repeatedly`);
    },
  };
};
