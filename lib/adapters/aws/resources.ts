/** Rows. An accepted write is one request, unless the write may also insert. */
import * as z from "zod";
import { assert, RetryLater } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import { partitionOfRow, spreadPartitions } from "#lib/model/row-partitions.ts";
import { type RowClause, rowClauseHolds } from "#lib/ports/conditions.ts";
import {
  RESOURCES_READ_MAX,
  type ResourceKey,
  type Resources,
  type RowChange,
  type RowOutline,
  type RowPage,
  type RowWrite,
} from "#lib/ports/store.ts";
import { type Clause, itemDoesNotExist, itemExists } from "./conditions.ts";
import { id, ttlOf } from "./items/attributes.ts";
import { resourceItem } from "./items/resource-item.ts";
import {
  type Partition,
  resourceKey,
  resourcesOf,
  SPREAD_MARK_ID,
  spreadMarkKey,
  spreadResourcesOf,
} from "./keys.ts";
import type { Attributes, Item, ItemUpdate, QueryOptions, Table } from "./table.ts";

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

/** Rows are rarely longer than four kilobytes, and a DynamoDB page contains one megabyte. */
const ROWS_IN_PAGE_MAX = 250;

const decodeRow = (item: Item): Resource => resourceItem.parse(item);

const isSpreadMark = ({ id }: Item): boolean => id?.S === SPREAD_MARK_ID;

const partitionAt = (stackId: string, id: string): number =>
  1 + spreadPartitions(stackId).indexOf(partitionOfRow({ stackId, id }));

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
const namedItem = resourceItem.pick({ id: true, name: true });
const NAMED_ATTRIBUTES = Object.keys(namedItem.shape);

/**
 * Lists a stack's rows. The rows of a large stack are in many partitions
 * (lib/model/row-partitions.ts).
 */
const rowLists = (
  table: Table,
): Pick<Resources, "listResources" | "listRows" | "listRowOutlines"> & {
  readonly idsNamed: (stackId: string, name: string) => Promise<readonly string[]>;
} => {
  /**
   * Reads the stack's own partition first. Its first item shows whether others exist, which are
   * then queried in parallel. Items become rows at once, because items need more memory.
   */
  const list = async <Row>(
    stackId: string,
    read: (item: Item) => Row,
    options: QueryOptions = {},
  ): Promise<readonly Row[]> => {
    const own: Row[] = [];
    let isSpread = false;
    for await (const item of table.query(resourcesOf(stackId), options)) {
      if (isSpreadMark(item)) isSpread = true;
      else own.push(read(item));
    }
    if (!isSpread) return own;
    const apart = spreadResourcesOf(stackId).map(async (partition) => {
      const rows: Row[] = [];
      for await (const item of table.query(partition, options)) rows.push(read(item));
      return rows;
    });
    return [own, ...(await Promise.all(apart))].flat();
  };
  const isSpread = async (stackId: string): Promise<boolean> =>
    (await table.get(spreadMarkKey(stackId))) !== null;
  const readPage = async (partition: Partition, begin: QueryOptions) => {
    const page: Resource[] = [];
    let isMarked = false;
    for await (const item of table.query(partition, { ...begin, limit: ROWS_IN_PAGE_MAX })) {
      if (isSpreadMark(item)) isMarked = true;
      else page.push(decodeRow(item));
      if (page.length === ROWS_IN_PAGE_MAX) break;
    }
    return { page, isMarked };
  };
  const listRows = async (stackId: string, after: string | null): Promise<RowPage> => {
    const partitions = [resourcesOf(stackId), ...spreadResourcesOf(stackId)];
    const first = after === null ? 0 : partitionAt(stackId, after);
    for (const [at, partition] of partitions.entries()) {
      if (at < first) continue;
      const isFirst = after !== null && at === first;
      const begin = isFirst ? { after: resourceKey({ stackId, id: after }) } : {};
      const { page, isMarked } = await readPage(partition, begin);
      const next = page.at(-1)?.id ?? null;
      if (page.length === ROWS_IN_PAGE_MAX) return { rows: page, next };
      // The mark is the first item of the partition, so only the first page contains it.
      if (at === 0 && !isMarked && !(isFirst && (await isSpread(stackId)))) {
        return { rows: page, next: null };
      }
      if (next !== null) return { rows: page, next };
    }
    return { rows: [], next: null };
  };
  return {
    listResources: (stackId) => list(stackId, decodeRow),
    listRows,
    listRowOutlines: (stackId) =>
      list<RowOutline>(stackId, (item) => outlineItem.parse(item), { only: OUTLINE_ATTRIBUTES }),
    idsNamed: async (stackId, name) => {
      const all = await list(stackId, (item) => namedItem.parse(item), { only: NAMED_ATTRIBUTES });
      return all.flatMap((row) => (row.name === name ? [row.id] : []));
    },
  };
};
