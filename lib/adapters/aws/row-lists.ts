/**
 * Lists a stack's rows. The rows of a large stack are in many partitions
 * (lib/model/row-partitions.ts).
 */
import type { Resource } from "#lib/model/resource.ts";
import { partitionOfRow, spreadPartitions } from "#lib/model/row-partitions.ts";
import type { Resources, RowOutline, RowPage } from "#lib/ports/store.ts";
import { resourceItem } from "./items/resource-item.ts";
import {
  type Partition,
  resourceKey,
  resourcesOf,
  SPREAD_MARK_ID,
  spreadMarkKey,
  spreadResourcesOf,
} from "./keys.ts";
import type { Item, QueryOptions, Table } from "./table.ts";

/** Rows are rarely longer than four kilobytes, and a DynamoDB page contains one megabyte. */
const ROWS_IN_PAGE_MAX = 250;

export const decodeRow = (item: Item): Resource => resourceItem.parse(item);

export const isSpreadMark = ({ id }: Item): boolean => id?.S === SPREAD_MARK_ID;

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

export const rowLists = (
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
