import type { Resource } from "#lib/model/resource.ts";
import type { Resources } from "#lib/ports/store.ts";
import { resourceChange } from "../change-images.ts";
import { decideRowWrite } from "../conditional-write.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";
import { type Documents, expiredBy, memoryDocuments } from "./documents.ts";

export interface MemoryResources {
  readonly port: Resources;
  readonly rows: Pick<Documents<Resource>, "get" | "list" | "all">;
  purgeExpired(now: number): void;
}

export const memoryResources = (feed: MemoryChangeFeed): MemoryResources => {
  const rows = memoryDocuments<Resource>(({ stackId, id }) => [stackId, id]);
  const port: Resources = {
    getResource: async ({ stackId, id }) => rows.get(stackId, id),
    listResources: async (stackId) => rows.list(stackId),
    writeResource: async (key, when, change) => {
      const before = rows.get(key.stackId, key.id);
      const write = decideRowWrite(key, before, when, change);
      if (write.written) {
        rows.put(write.row);
        feed.add(resourceChange(before, write.row));
      }
      return write;
    },
  };
  return { port, rows, purgeExpired: (now) => rows.purge(expiredBy(now)) };
};
