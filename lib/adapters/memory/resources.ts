import type { Resource } from "#lib/model/resource.ts";
import type { Store } from "#lib/ports/store.ts";
import { resourceChange } from "../change-images.ts";
import { decideRowWrite } from "../conditional-write.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";

type ResourceMethods = Pick<Store, "getResource" | "listResources" | "writeResource">;

export interface MemoryResources {
  readonly port: ResourceMethods;
  all(): readonly Resource[];
  row(stackId: string, id: string): Resource | null;
  rowsOf(stackId: string): readonly Resource[];
  purgeExpired(now: number): void;
}

export const memoryResources = (feed: MemoryChangeFeed): MemoryResources => {
  const stacks = new Map<string, Map<string, Resource>>();
  const row = (stackId: string, id: string): Resource | null =>
    stacks.get(stackId)?.get(id) ?? null;
  const rowsOf = (stackId: string): readonly Resource[] => [
    ...(stacks.get(stackId)?.values() ?? []),
  ];
  const store = (stored: Resource): void => {
    const rows = stacks.get(stored.stackId);
    if (rows) rows.set(stored.id, stored);
    else stacks.set(stored.stackId, new Map([[stored.id, stored]]));
  };

  const port: ResourceMethods = {
    getResource: async (key) => row(key.stackId, key.id),
    listResources: async (stackId) => rowsOf(stackId),
    writeResource: async (key, when, change) => {
      const before = row(key.stackId, key.id);
      const write = decideRowWrite(key, before, when, change);
      if (write.written) {
        store(write.row);
        feed.tell(resourceChange(before, write.row));
      }
      return write;
    },
  };

  return {
    port,
    row,
    rowsOf,
    all: () => [...stacks.values()].flatMap((rows) => [...rows.values()]),
    purgeExpired: (now) => {
      for (const rows of stacks.values())
        for (const { id, expiresAt } of rows.values())
          if (expiresAt !== null && expiresAt <= now) rows.delete(id);
    },
  };
};
