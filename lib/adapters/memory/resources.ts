import type { Resource } from "#lib/model/resource.ts";
import { isSpreadId } from "#lib/model/row-partitions.ts";
import type { Resources } from "#lib/ports/store.ts";
import { resourceChange } from "../local/change-images.ts";
import { localResources } from "../local/writes.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";
import { memoryDocuments } from "./documents.ts";

export const memoryResources = (feed: MemoryChangeFeed) => {
  const rows = memoryDocuments<Resource>(({ stackId, id }) => [stackId, id]);
  /** The stacks whose spread rows are listed. So a simulation sees a mark that comes too late. */
  const spread = new Set<string>();
  const listed = async (stackId: string): Promise<readonly Resource[]> => {
    const all = rows.list(stackId);
    return spread.has(stackId) ? all : all.filter(({ id }) => !isSpreadId(id));
  };
  const port: Resources = {
    ...localResources(
      rows,
      async (work) => work(),
      (before, after) => feed.add(resourceChange(before, after)),
    ),
    listResources: listed,
    listRowOutlines: listed,
    spreadRows: async (stackId) => {
      spread.add(stackId);
    },
  };
  return { port, rows };
};
