/**
 * SyncPoints record which predecessors of a waiting node have arrived, and with what data. With a
 * small fan-in a point is one item. With a larger one the input data has items of its own. Above
 * that, buckets count the arrivals and report to a parent. So no item grows with the fan-in (S20),
 * and no write repeats after a lost race.
 */
import { RetryLater } from "#lib/errors.ts";
import type { GraphFields, NodeData, NodeKey, SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type DeletedSyncPoint, SYNC_POINT_READ_KEYS_MAX } from "#lib/ports/store.ts";
import type { IndexedGraph } from "./graph/indexed-graph.ts";
import { inParallel } from "./in-parallel.ts";
import { BATCH_READ_TRIES_MAX, BUCKET_MEMBERS_MAX, INLINE_FAN_IN_MAX } from "./limits.ts";

type StorePort = Pick<Ports, "store">;

export interface SyncPointSource {
  readonly store: Pick<Ports["store"], "getSyncPoint">;
}

/** What waits for arrivals: a node of the graph, or the stack itself with its id as resource id. */
export interface WaitingPoint extends NodeKey {
  readonly traversalId: string;
  readonly stackId: string;
  readonly fanIn: number;
  readonly expiresAt: number;
}

export interface ArrivalPoint extends WaitingPoint {
  readonly predecessor: number;
}

export const pointOfNode = (
  { stackId, traversalId }: GraphFields,
  { resourceId, isUpdate, fanIn }: NodeKey & { readonly fanIn: number },
  expiresAt: number,
): WaitingPoint => ({ resourceId, isUpdate, fanIn, stackId, traversalId, expiresAt });

/** (stack, update) is full when the update is good, (stack, cleanup) when all is done (P8). */
export const pointOfStack = (
  { graph, rootCount, updateRootCount }: IndexedGraph,
  isUpdate: boolean,
  expiresAt: number,
): WaitingPoint => {
  const fanIn = isUpdate ? updateRootCount : rootCount;
  return pointOfNode(graph, { resourceId: graph.stackId, isUpdate, fanIn }, expiresAt);
};

/** The stack's own points only count, and cleanups need no data from what they wait for. */
const takesData = ({ resourceId, stackId, isUpdate }: WaitingPoint): boolean =>
  isUpdate && resourceId !== stackId;

interface Counter {
  readonly bucket: string;
  readonly predecessor: number;
  readonly fanIn: number;
}

/** From an arrival's bucket up to the node's own point. A full counter reports to the next. */
export const arrivalPath = (predecessor: number, fanIn: number): readonly Counter[] => {
  const counters: Counter[] = [];
  let position = predecessor;
  let members = fanIn;
  for (let level = 1; members > BUCKET_MEMBERS_MAX; level++) {
    const bucket = Math.floor(position / BUCKET_MEMBERS_MAX);
    counters.push({
      bucket: `${level}.${bucket}`,
      predecessor: position % BUCKET_MEMBERS_MAX,
      fanIn: Math.min(BUCKET_MEMBERS_MAX, members - bucket * BUCKET_MEMBERS_MAX),
    });
    position = bucket;
    members = Math.ceil(members / BUCKET_MEMBERS_MAX);
  }
  return [...counters, { bucket: "", predecessor: position, fanIn: members }];
};

const keyOf = (point: WaitingPoint, bucket: string): SyncPointKey => ({
  resourceId: point.resourceId,
  isUpdate: point.isUpdate,
  traversalId: point.traversalId,
  bucket,
});

export interface ArrivalOutcome {
  readonly accepted: boolean;
  /** A refused arrival learns this too, because the worker of the accepted one may have died. */
  readonly ready: boolean;
}

/** The data is written first (P5). After a crash in between, the redelivery does both again. */
export const arriveAt = async (
  ports: Pick<Ports, "store" | "clock">,
  point: ArrivalPoint,
  data: NodeData | null,
): Promise<ArrivalOutcome> => {
  const { fanIn, predecessor } = point;
  const inline = fanIn <= INLINE_FAN_IN_MAX;
  if (!inline && data !== null) {
    await ports.store.putInputData(keyOf(point, ""), predecessor, data, point.expiresAt);
  }
  let accepted = false;
  for (const counter of arrivalPath(predecessor, fanIn)) {
    const arrival = await ports.store.arrive(keyOf(point, counter.bucket), {
      stackId: point.stackId,
      predecessor: counter.predecessor,
      at: ports.clock.now(),
      fanIn: counter.fanIn,
      data: inline ? data : null,
      expiresAt: point.expiresAt,
    });
    accepted = arrival.accepted;
    if (arrival.syncPoint.arrived.length < counter.fanIn) return { accepted, ready: false };
  }
  return { accepted, ready: true };
};

export const arriveAtAll = <Point extends ArrivalPoint>(
  ports: Pick<Ports, "store" | "clock">,
  points: readonly Point[],
  data: NodeData,
): Promise<{ point: Point; arrival: ArrivalOutcome }[]> =>
  inParallel(
    points.map((point) => async () => ({
      point,
      arrival: await arriveAt(ports, point, takesData(point) ? data : null),
    })),
  );

export const isReady = async (ports: SyncPointSource, point: WaitingPoint): Promise<boolean> => {
  if (point.fanIn === 0) return true;
  const syncPoint = await ports.store.getSyncPoint(keyOf(point, ""));
  return syncPoint !== null && syncPoint.arrived.length === syncPoint.fanIn;
};

/** A full bucket that has not reported to its parent does not count. */
export const hasArrived = async (ports: SyncPointSource, point: ArrivalPoint): Promise<boolean> => {
  for (const counter of arrivalPath(point.predecessor, point.fanIn)) {
    const syncPoint = await ports.store.getSyncPoint(keyOf(point, counter.bucket));
    if (!syncPoint?.arrived.includes(counter.predecessor)) return false;
    if (syncPoint.arrived.length < counter.fanIn) return true;
  }
  return true;
};

export const readySince = async (
  ports: SyncPointSource,
  point: WaitingPoint,
): Promise<number | null> =>
  point.fanIn === 0
    ? null
    : ((await ports.store.getSyncPoint(keyOf(point, "")))?.arrivedAt ?? null);

export const keysOfPoint = (point: WaitingPoint): readonly SyncPointKey[] =>
  point.fanIn === 0 ? [] : [keyOf(point, "")];

export const keysOfArrival = (point: ArrivalPoint): readonly SyncPointKey[] =>
  arrivalPath(point.predecessor, point.fanIn).map(({ bucket }) => keyOf(point, bucket));

const textOf = ({ traversalId, resourceId, isUpdate, bucket }: SyncPointKey): string =>
  `${traversalId}/${resourceId}/${isUpdate}/${bucket}`;

/** Reads many points in few requests. Keys that a busy service leaves unread are read again. */
export const readSyncPoints = async (
  ports: StorePort,
  keys: readonly SyncPointKey[],
): Promise<SyncPointSource> => {
  const found = new Map<string, SyncPoint>();
  const readAll = async (batch: readonly SyncPointKey[]): Promise<void> => {
    let open = batch;
    for (let tries = 0; open.length > 0; tries++) {
      if (tries === BATCH_READ_TRIES_MAX) throw new RetryLater("the sync points are not all read");
      const { points, unread } = await ports.store.getSyncPoints(open);
      for (const point of points) found.set(textOf(point.key), point);
      open = unread;
    }
  };
  const distinct = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  const batches: (() => Promise<void>)[] = [];
  for (let at = 0; at < distinct.length; at += SYNC_POINT_READ_KEYS_MAX) {
    const batch = distinct.slice(at, at + SYNC_POINT_READ_KEYS_MAX);
    batches.push(() => readAll(batch));
  }
  await inParallel(batches);
  return { store: { getSyncPoint: async (key) => found.get(textOf(key)) ?? null } };
};

export const readInputs = async (
  ports: StorePort,
  point: WaitingPoint,
): Promise<readonly NodeData[]> => {
  if (point.fanIn === 0) return [];
  if (point.fanIn > INLINE_FAN_IN_MAX) {
    return Object.values(await ports.store.listInputData(keyOf(point, "")));
  }
  const syncPoint = await ports.store.getSyncPoint(keyOf(point, ""));
  return Object.values(syncPoint?.inputData ?? {});
};

export const syncPointKeys = (point: WaitingPoint): readonly DeletedSyncPoint[] => {
  if (point.fanIn === 0) return [];
  const hasDataBeside = takesData(point) && point.fanIn > INLINE_FAN_IN_MAX;
  const keys: DeletedSyncPoint[] = [{ ...keyOf(point, ""), hasDataBeside }];
  let members = point.fanIn;
  for (let level = 1; members > BUCKET_MEMBERS_MAX; level++) {
    members = Math.ceil(members / BUCKET_MEMBERS_MAX);
    for (let bucket = 0; bucket < members; bucket++) keys.push(keyOf(point, `${level}.${bucket}`));
  }
  return keys;
};
