import type { Resource } from "#lib/model/resource.ts";
import { resourceChange } from "../local/change-images.ts";
import { localResources } from "../local/writes.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";
import { memoryDocuments } from "./documents.ts";

export const memoryResources = (feed: MemoryChangeFeed) => {
  const rows = memoryDocuments<Resource>(({ stackId, id }) => [stackId, id]);
  const port = localResources(
    rows,
    async (work) => work(),
    (before, after) => feed.add(resourceChange(before, after)),
  );
  return { port, rows };
};
