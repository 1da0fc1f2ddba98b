/**
 * The simulation's store, in plain maps. Every method does its whole work before it first returns.
 * So only the order in which callers resume decides how their calls interleave.
 */
import { assert } from "#lib/errors.ts";
import type { OrderedEvent, SequencedChange, StackEvent } from "#lib/model/event.ts";
import type { NodeData, StoredGraph, SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import {
  type Events,
  type Heartbeat,
  type StackKey,
  type Store,
  SYNC_POINT_DELETE_KEYS_MAX,
  SYNC_POINT_READ_KEYS_MAX,
  type SyncPoints,
} from "#lib/ports/store.ts";
import { decideArrival } from "../local/store.ts";
import { backUpAll, memoryDocuments } from "./documents.ts";
import {
  type DumpedGraph,
  memoryChangeFeed,
  memoryGraphs,
  memoryResources,
  memoryStackNames,
  memoryStacks,
} from "./stacks.ts";

interface StoreDump {
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

interface StoredEvent {
  readonly event: OrderedEvent;
  readonly expiresAt: number | null;
}

/** Events arrive in the order of the change feed, so their order is that of cause and effect. */
const memoryEvents = () => {
  let put = 0;
  const events = memoryDocuments<StoredEvent>(({ event }) => [event.stackId, event.id]);
  const expire = (stored: StoredEvent, expiresAt: number): void => {
    if (stored.expiresAt === null || stored.expiresAt > expiresAt)
      events.put({ ...stored, expiresAt });
  };
  const port: Events = {
    putEvents: async (_stackId, several) => {
      for (const event of several)
        events.insert({ event: { ...event, order: put++ }, expiresAt: null });
      return several.map(({ id }) => id);
    },
    expireEvents: async (stackId, expiresAt, keep) => {
      const stored = events.list(stackId);
      for (const one of stored.slice(0, Math.max(stored.length - keep, 0))) expire(one, expiresAt);
    },
    expireWritten: async (stackId, written, expiresAt) => {
      for (const id of written) {
        const stored = events.get(stackId, id);
        if (stored !== null) expire(stored, expiresAt);
      }
    },
    listEvents: async (stackId, query) => {
      const ordered = events.list(stackId).map(({ event }) => event);
      if (query.descending) ordered.reverse();
      const marker = ordered.findIndex((event) => event.id === query.marker);
      const { from = query.descending ? Number.POSITIVE_INFINITY : 0 } = query;
      return ordered
        .slice(marker + 1)
        .filter(({ order }) => (query.descending ? order <= from : order >= from))
        .filter(({ resourceName }) => (query.resourceName ?? resourceName) === resourceName)
        .slice(0, query.limit);
    },
    orderOfEvent: async (stackId, eventId) => events.get(stackId, eventId)?.event.order ?? null,
  };
  const all = (): readonly OrderedEvent[] => events.all().map(({ event }) => event);
  return { port, all, purgeExpired: events.purgeExpired, backUp: events.backUp };
};

interface InputData {
  readonly point: string;
  readonly predecessor: number;
  readonly data: NodeData;
  readonly expiresAt: number;
}

const textOf = (key: SyncPointKey): string =>
  `${key.traversalId}/${key.resourceId}/${key.isUpdate}/${key.bucket}`;

const memorySyncPoints = () => {
  const points = memoryDocuments<SyncPoint>(({ key }) => [textOf(key)]);
  const inputData = memoryDocuments<InputData>((beside) => [beside.point, beside.predecessor]);

  const port: SyncPoints = {
    arrive: async (key, arrival) => {
      const result = decideArrival(key, points.get(textOf(key)), arrival);
      if (result.accepted) points.put(result.syncPoint);
      return result;
    },
    getSyncPoint: async (key) => points.get(textOf(key)),
    getSyncPoints: async (keys) => {
      assert(keys.length <= SYNC_POINT_READ_KEYS_MAX, "too many sync points to read in one call");
      return { points: keys.flatMap((key) => points.get(textOf(key)) ?? []), unread: [] };
    },
    putInputData: async (key, predecessor, data, expiresAt) =>
      inputData.put({ point: textOf(key), predecessor, data, expiresAt }),
    listInputData: async (key) =>
      Object.fromEntries(
        inputData.list(textOf(key)).map(({ predecessor, data }) => [String(predecessor), data]),
      ),
    deleteSyncPoints: async (keys) => {
      assert(
        keys.length <= SYNC_POINT_DELETE_KEYS_MAX,
        "too many sync points to delete in one call",
      );
      for (const point of keys.map(textOf)) {
        points.delete(point);
        for (const { predecessor } of inputData.list(point)) inputData.delete(point, predecessor);
      }
    },
  };

  return {
    port,
    all: points.all,
    purgeExpired: (now: number): void => {
      points.purgeExpired(now);
      inputData.purgeExpired(now);
    },
    backUp: backUpAll([points, inputData]),
  };
};

const memoryHeartbeat = (): Heartbeat => {
  let lastSweepAt: number | null = null;
  let cursor: StackKey | null = null;
  return {
    recordSweep: async (at) => {
      lastSweepAt = at;
    },
    lastSweepAt: async () => lastSweepAt,
    putSweepCursor: async (next) => {
      cursor = next;
    },
    sweepCursor: async () => cursor,
  };
};
