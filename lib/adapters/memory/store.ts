/**
 * The simulator's store: plain maps, every method does its whole work before it first returns, so
 * that an interleaving is decided by who is resumed and by nothing else. Records are shared, not
 * copied: they are readonly, and a write puts a new record in the place of the old one.
 */
import type { StackEvent } from "#lib/model/event.ts";
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { SyncPoint } from "#lib/model/sync-point.ts";
import type { Store } from "#lib/ports/store.ts";
import type { Change } from "../change-images.ts";
import { memoryChangeFeed } from "./change-feed.ts";
import { memoryEvents } from "./events.ts";
import { memoryHeartbeat } from "./heartbeat.ts";
import { memoryResources } from "./resources.ts";
import { memoryStacks } from "./stacks.ts";
import { memorySyncPoints } from "./sync-points.ts";

/** Everything that is stored, for checkers; the arrays are copies. */
export interface StoreDump {
  readonly stacks: readonly Stack[];
  readonly rows: readonly Resource[];
  readonly syncPoints: readonly SyncPoint[];
  readonly graphs: readonly ConvergenceGraph[];
  readonly events: readonly StackEvent[];
}

export interface MemoryStore extends Store {
  dump(): StoreDump;
  /** One row of any stack, without a scan. */
  row(stackId: string, id: string): Resource | null;
  /** The rows of one stack, in the order of their birth. */
  rowsOf(stackId: string): readonly Resource[];
  /** Every accepted write that is news (lib/adapters/change-images.ts), oldest first; the owner may draw from it. */
  readonly changes: Change[];
  /** Removes the rows, sync points and input data whose `expiresAt` has passed. */
  purgeExpired(now: number): void;
}

export const memoryStore = (): MemoryStore => {
  const feed = memoryChangeFeed();
  const stacks = memoryStacks(feed);
  const resources = memoryResources(feed);
  const syncPoints = memorySyncPoints();
  const events = memoryEvents();
  return {
    ...stacks.port,
    ...resources.port,
    ...syncPoints.port,
    ...events.port,
    ...memoryHeartbeat(),
    changes: feed.changes,
    row: resources.row,
    rowsOf: resources.rowsOf,
    dump: () => ({
      stacks: stacks.all(),
      rows: resources.all(),
      syncPoints: syncPoints.all(),
      graphs: stacks.graphs(),
      events: events.all(),
    }),
    purgeExpired: (now) => {
      resources.purgeExpired(now);
      syncPoints.purgeExpired(now);
    },
  };
};
