/**
 * The simulation's store, in plain maps. Every method does its whole work before it first returns.
 * So only the order in which callers resume decides how their calls interleave.
 */
import type { SequencedChange, StackEvent } from "#lib/model/event.ts";
import type { StoredGraph, SyncPoint } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Store } from "#lib/ports/store.ts";
import { memoryChangeFeed } from "./change-feed.ts";
import { backUpAll } from "./documents.ts";
import { memoryEvents } from "./events.ts";
import { memoryHeartbeat } from "./heartbeat.ts";
import { memoryResources } from "./resources.ts";
import { type DumpedGraph, memoryGraphs, memoryStackNames, memoryStacks } from "./stacks.ts";
import { memorySyncPoints } from "./sync-points.ts";

export interface StoreDump {
  readonly stacks: readonly Stack[];
  readonly rows: readonly Resource[];
  readonly syncPoints: readonly SyncPoint[];
  readonly graphs: readonly DumpedGraph[];
  readonly events: readonly StackEvent[];
}

export interface MemoryStore extends Store {
  dump(): StoreDump;
  wholeGraph(graph: StoredGraph): DumpedGraph;
  row(stackId: string, id: string): Resource | null;
  rowsOf(stackId: string): readonly Resource[];
  readonly changes: SequencedChange[];
  purgeExpired(now: number): void;
  backUp(): () => void;
}

const ROWS_IN_PAGE = 1_000;

/** A simulation reads small pages, so that other writes happen between them. */
export const memoryStore = (rowsInPage = ROWS_IN_PAGE): MemoryStore => {
  const feed = memoryChangeFeed();
  const stacks = memoryStacks(feed);
  const graphs = memoryGraphs();
  const resources = memoryResources(feed, rowsInPage);
  const syncPoints = memorySyncPoints();
  const events = memoryEvents();
  const names = memoryStackNames();
  return {
    ...stacks.port,
    ...names.port,
    ...graphs.port,
    ...resources.port,
    ...syncPoints.port,
    ...events.port,
    ...memoryHeartbeat(),
    changes: feed.changes,
    wholeGraph: graphs.withNodes,
    row: resources.rows.get,
    rowsOf: resources.rows.list,
    dump: () => ({
      stacks: stacks.all(),
      rows: resources.rows.all(),
      syncPoints: syncPoints.all(),
      graphs: graphs.all(),
      events: events.all(),
    }),
    purgeExpired: (now) => {
      stacks.purgeExpired(now);
      graphs.purgeExpired(now);
      resources.rows.purgeExpired(now);
      syncPoints.purgeExpired(now);
      events.purgeExpired(now);
    },
    backUp: backUpAll([stacks, names, graphs, resources, syncPoints, events]),
  };
};
