import type { DumpedGraph } from "#lib/adapters/memory/stacks.ts";
import type { MemoryStore } from "#lib/adapters/memory/store.ts";
import type { SyncPoint } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Store } from "#lib/ports/store.ts";

export interface StoreWatcher {
  rowWritten(before: Resource | null, after: Resource, isSignal: boolean): void;
  stackWritten(after: Stack): void;
  stackCreated(stack: Stack): void;
  graphStored(graph: DumpedGraph): void;
  arrived(point: SyncPoint): void;
  /** The stack that the index of unsettled stacks still shows. Null: the index is up to date. */
  staleStack(): Stack | null;
}

export const watchedStore = (store: MemoryStore, watcher: StoreWatcher): Store => ({
  ...store,
  writeResource: async (key, when, change) => {
    const before = store.row(key.stackId, key.id);
    const write = await store.writeResource(key, when, change);
    if (write.written) watcher.rowWritten(before, write.row, change.addSignal ?? false);
    return write;
  },
  writeStack: async (tenant, id, when, change) => {
    const write = await store.writeStack(tenant, id, when, change);
    if (write.written) watcher.stackWritten(write.stack);
    return write;
  },
  listUnsettledStacks: async (after, limit) => {
    const former = watcher.staleStack();
    if (former === null) return store.listUnsettledStacks(after, limit);
    const stacks = former.settled ? [] : [{ tenant: former.tenant, id: former.id }];
    return { stacks, next: null };
  },
  // Like a busy service, the store leaves the last key of each batch unread.
  getSyncPoints: async (keys) => {
    const { points } = await store.getSyncPoints(keys.length > 1 ? keys.slice(0, -1) : keys);
    return { points, unread: keys.length > 1 ? keys.slice(-1) : [] };
  },
  arrive: async (key, arrival) => {
    const result = await store.arrive(key, arrival);
    watcher.arrived(result.syncPoint);
    return result;
  },
  createStack: async (stack) => {
    const created = await store.createStack(stack);
    if (created === "created") watcher.stackCreated(stack);
    return created;
  },
  putGraph: async (graph, expiresAt) => {
    const stored = await store.putGraph(graph, expiresAt);
    watcher.graphStored(store.wholeGraph(stored));
    return stored;
  },
});
