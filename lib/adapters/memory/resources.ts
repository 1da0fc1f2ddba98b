import type { Resource } from "#lib/model/resource.ts";
import { isSpreadId } from "#lib/model/row-partitions.ts";
import type { Resources, RowPage } from "#lib/ports/store.ts";
import { resourceChange } from "../local/change-images.ts";
import { localResources } from "../local/writes.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";
import { memoryDocuments } from "./documents.ts";

const byId = (one: Resource, other: Resource): number => (one.id < other.id ? -1 : 1);

export const memoryResources = (feed: MemoryChangeFeed, rowsInPage: number) => {
  const rows = memoryDocuments<Resource>(({ stackId, id }) => [stackId, id]);
  /**
   * Spread rows of other stacks are not listed, so that a simulation detects a late `spreadRows`.
   */
  const spread = new Set<string>();
  const listed = async (stackId: string): Promise<readonly Resource[]> => {
    const all = rows.list(stackId);
    return spread.has(stackId) ? all : all.filter(({ id }) => !isSpreadId(id));
  };
  const pageOf = (all: readonly Resource[], after: string | null): RowPage => {
    const open = all.filter(({ id }) => after === null || id > after);
    const page = open.toSorted(byId).slice(0, rowsInPage);
    return { rows: page, next: page.length < open.length ? (page.at(-1)?.id ?? null) : null };
  };
  const port: Resources = {
    ...localResources(
      rows,
      async (work) => work(),
      (before, after) => feed.add(resourceChange(before, after)),
    ),
    listRows: async (stackId, after) => pageOf(await listed(stackId), after),
    listRowsNamed: async (stackId, name, after) => {
      const { rows: page, next } = pageOf(await listed(stackId), after);
      return { rows: page.filter((row) => row.name === name), next };
    },
    listResources: listed,
    listRowOutlines: listed,
    spreadRows: async (stackId) => {
      spread.add(stackId);
    },
  };
  const backUp = (): (() => void) => {
    const restore = rows.backUp();
    const kept = [...spread];
    return () => {
      restore();
      spread.clear();
      for (const stackId of kept) spread.add(stackId);
    };
  };
  return { port, rows, backUp };
};
