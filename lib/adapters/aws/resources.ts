/** Rows. An accepted write is one request, unless the write may also insert. */
import * as z from "zod";
import { assert, RetryLater } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import { type RowClause, rowClauseHolds } from "#lib/ports/conditions.ts";
import {
  RESOURCES_READ_MAX,
  type ResourceKey,
  type Resources,
  type RowChange,
  type RowWrite,
} from "#lib/ports/store.ts";
import type { Clause } from "./conditions/expression.ts";
import { itemDoesNotExist, itemExists } from "./conditions/item-clauses.ts";
import { id } from "./items/attributes.ts";
import { resourceItem } from "./items/resource-item.ts";
import { resourceKey, spreadMarkKey } from "./keys.ts";
import { decodeRow, isSpreadMark, rowLists } from "./row-lists.ts";
import type { Attributes, Item, ItemUpdate, Table } from "./table.ts";
import { ttlOf } from "./ttl.ts";

const rowClause =
  (clause: RowClause): Clause =>
  ({ name, value, number, text }) => {
    switch (clause.clause) {
      case "absent":
        return `attribute_not_exists(${name("id")})`;
      case "versionIs":
        return `${name("version")} = ${number(clause.version)}`;
      case "leaseHeldBy":
        return `${name("lease.token")} = ${value(z.encode(id, clause.token))}`;
      case "noLiveLease":
        return `attribute_not_exists(${name("lease")}) OR ${name("lease.expiresAt")} <= ${number(clause.now)}`;
      case "signalsAre":
        return `${name("signals")} = ${number(clause.signals)}`;
      case "numberBelow":
        return `attribute_not_exists(${name("id")}) OR ${name("number")} < ${number(clause.number)}`;
      case "numberAtMost":
        return `attribute_not_exists(${name("id")}) OR ${name("number")} <= ${number(clause.number)}`;
      case "operationGenerationIs":
        return `${name("operation.generation")} = ${number(clause.generation)}`;
      case "waitIsOver":
        return `attribute_exists(${name("id")}) AND (attribute_not_exists(${name("waitUntil")}) OR ${name("waitUntil")} <= ${number(clause.now)})`;
      case "actionIs":
        return `${name("action")} = ${text(clause.action)}`;
    }
  };

const WRITE_TRIES_MAX = 4;

const encodeWhole = (row: Resource): Attributes => ({
  ...z.encode(resourceItem, row),
  ...ttlOf(row.expiresAt),
});

/** Made once, because making a schema costs more than the rest of a write. */
const changeItem = resourceItem.partial();

const encodeChange = ({ set, addSignal = false }: RowChange): ItemUpdate => {
  const signals = addSignal && set.signals !== undefined ? { signals: set.signals + 1 } : {};
  const addsSignal = addSignal && set.signals === undefined;
  return {
    set: {
      ...z.encode(changeItem, { ...set, ...signals }),
      ...(set.expiresAt === undefined ? {} : ttlOf(set.expiresAt)),
    },
    add: { version: { N: "1" }, ...(addsSignal && { signals: { N: "1" } }) },
  };
};

const answer = (write: { written: boolean; item: Item | null }): RowWrite =>
  write.written && write.item
    ? { written: true, row: decodeRow(write.item) }
    : { written: false, row: write.item && decodeRow(write.item) };

export const dynamoResources = (table: Table): Resources => {
  const { idsNamed, ...lists } = rowLists(table);
  const get = async (key: ResourceKey): Promise<Resource | null> => {
    const item = await table.get(resourceKey(key));
    // A request can name any id, also that of the mark.
    return item === null || isSpreadMark(item) ? null : decodeRow(item);
  };
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
    getResource: get,
    ...lists,
    getResources: async (stackId, ids) => {
      const items = await table.getAll(ids.map((id) => resourceKey({ stackId, id })));
      return items.filter((item) => !isSpreadMark(item)).map(decodeRow);
    },
    listRowsNamed: async (stackId, name) => {
      const keys = (await idsNamed(stackId, name)).map((id) => resourceKey({ stackId, id }));
      const items: Item[] = [];
      for (let at = 0; at < keys.length; at += RESOURCES_READ_MAX) {
        items.push(...(await table.getAll(keys.slice(at, at + RESOURCES_READ_MAX))));
      }
      return { rows: items.map(decodeRow), next: null };
    },
    spreadRows: async (stackId, expiresAt) => {
      await table.put(spreadMarkKey(stackId), ttlOf(expiresAt), []);
    },
    writeResource: async (key, when, change) => {
      const { insert: wholeRow } = change;
      const mayInsert =
        wholeRow !== undefined && when.every((clause) => rowClauseHolds(clause, null));
      const mustInsert = when.some(({ clause }) => clause === "absent");
      for (let tries = 0; tries < WRITE_TRIES_MAX; tries++) {
        // An insert and an update are different requests. Only a refusal shows which one is needed.
        if (!mustInsert) {
          const write = await update(key, when, change);
          if (write.written || write.row !== null || !mayInsert) return write;
        }
        if (!mayInsert) return { written: false, row: await get(key) };
        const write = await insert(key, wholeRow);
        if (write.written || mustInsert) return write;
      }
      throw new RetryLater(`row ${key.id} is inserted and deleted repeatedly`);
    },
  };
};
