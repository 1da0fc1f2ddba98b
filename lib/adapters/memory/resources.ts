import type { Resource } from "#lib/model/resource.ts";
import type { Resources } from "#lib/ports/store.ts";
import { resourceChange } from "../local/change-images.ts";
import { localResources } from "../local/writes.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";
import { type MemoryDocuments, memoryDocuments } from "./documents.ts";

export interface MemoryResources {
  readonly port: Resources;
  readonly rows: MemoryDocuments<Resource>;
}

export const memoryResources = (feed: MemoryChangeFeed): MemoryResources => {
  const rows = memoryDocuments<Resource>(({ stackId, id }) => [stackId, id]);
  const port = localResources(
    rows,
    async (work) => work(),
    (before, after) => feed.add(resourceChange(before, after)),
  );
  return { port, rows };
};
