/**
 * SyncPoints: who has arrived at a waiting node, and with what data. A narrow node is one item; wide
 * ones keep their data beside the counter, and very wide ones have buckets that report to a parent,
 * so that no item grows with the fan-in and no write is ever repeated for a lost race.
 */
import { present } from "#lib/errors.ts";
import type { NodeData, NodeKey } from "#lib/model/graph.ts";
import type { SyncPointKey } from "#lib/model/sync-point.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { IndexedGraph } from "./convergence-graph.ts";
import { inParallel } from "./in-parallel.ts";
import { BUCKET_MEMBERS_MAX, INLINE_FAN_IN_MAX } from "./limits.ts";

/** What waits: a node of the graph, or the stack itself (with its id as resource id). */
export interface WaitingPoint extends NodeKey {
  readonly traversalId: string;
  readonly stackId: string;
  /** Positions of the predecessors in the graph, ascending. */
  readonly requires: readonly number[];
  readonly expiresAt: number;
}

export const pointOfNode = (index: IndexedGraph, at: number, expiresAt: number): WaitingPoint => {
  const node = present(index.graph.nodes[at], `node ${at} of the graph`);
  const { stackId, traversalId } = index.graph;
  return { ...node, stackId, traversalId, expiresAt };
};

/** The stack's own points (P8): the update is good; everything is done. */
export const pointOfStack = (
  index: IndexedGraph,
  isUpdate: boolean,
  expiresAt: number,
): WaitingPoint => ({
  resourceId: index.graph.stackId,
  isUpdate,
  stackId: index.graph.stackId,
  traversalId: index.graph.traversalId,
  requires: isUpdate ? index.updateRoots : index.roots,
  expiresAt,
});

interface Step {
  readonly bucket: string;
  readonly predecessor: number;
  readonly fanIn: number;
}

/** The counters that an arrival passes, from its bucket up to the node's own point, each only if the one below is full. */
export const arrivalPath = (predecessor: number, fanIn: number): readonly Step[] => {
  const steps: Step[] = [];
  let position = predecessor;
  let members = fanIn;
  for (let level = 1; members > BUCKET_MEMBERS_MAX; level++) {
    const bucket = Math.floor(position / BUCKET_MEMBERS_MAX);
    steps.push({
      bucket: `${level}.${bucket}`,
      predecessor: position % BUCKET_MEMBERS_MAX,
      fanIn: Math.min(BUCKET_MEMBERS_MAX, members - bucket * BUCKET_MEMBERS_MAX),
    });
    position = bucket;
    members = Math.ceil(members / BUCKET_MEMBERS_MAX);
  }
  return [...steps, { bucket: "", predecessor: position, fanIn: members }];
};

/** Where `at` stands among ascending positions; -1 if it does not. */
const positionAmong = (ascending: readonly number[], at: number): number => {
  let low = 0;
  let high = ascending.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = ascending[middle] ?? -1;
    if (value === at) return middle;
    if (value < at) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};

const keyOf = (point: WaitingPoint, bucket: string): SyncPointKey => ({
  resourceId: point.resourceId,
  isUpdate: point.isUpdate,
  traversalId: point.traversalId,
  bucket,
});

export interface ArrivalOutcome {
  /** False: it had arrived before, and this call changed nothing. */
  readonly accepted: boolean;
  /** Every predecessor has arrived. Said to every caller who sees it, since any of them may be the one that lives on. */
  readonly ready: boolean;
}

/** P5: input data first, then the arrival. A crash between the two is repaired by doing both again. */
export const arriveAt = async (
  ports: Ports,
  point: WaitingPoint,
  from: number,
  data: NodeData | null,
): Promise<ArrivalOutcome> => {
  const fanIn = point.requires.length;
  const predecessor = positionAmong(point.requires, from);
  const inline = fanIn <= INLINE_FAN_IN_MAX;
  if (!inline && data !== null) {
    await ports.store.putInputData(keyOf(point, ""), predecessor, data, point.expiresAt);
  }
  let accepted = false;
  for (const step of arrivalPath(predecessor, fanIn)) {
    const arrival = await ports.store.arrive(keyOf(point, step.bucket), {
      stackId: point.stackId,
      predecessor: step.predecessor,
      fanIn: step.fanIn,
      data: inline ? data : null,
      expiresAt: point.expiresAt,
    });
    accepted = arrival.accepted;
    if (arrival.syncPoint.arrived.length < step.fanIn) return { accepted, ready: false };
  }
  return { accepted, ready: true };
};

/** None of the points depends on another: a node that thousands wait for does not tell them one after the other. */
export const arriveAtAll = <Point extends WaitingPoint>(
  ports: Ports,
  points: readonly Point[],
  from: number,
  data: NodeData,
): Promise<{ point: Point; arrival: ArrivalOutcome }[]> =>
  inParallel(
    points.map((point) => async () => ({
      point,
      arrival: await arriveAt(ports, point, from, point.isUpdate ? data : null),
    })),
  );

/** Whether nothing is left to wait for. */
export const isReady = async (ports: Ports, point: WaitingPoint): Promise<boolean> => {
  if (point.requires.length === 0) return true;
  const syncPoint = await ports.store.getSyncPoint(keyOf(point, ""));
  return syncPoint !== null && syncPoint.arrived.length === syncPoint.fanIn;
};

/** Whether `from` has arrived, all the way up: a full bucket that has not reported does not count. */
export const hasArrived = async (
  ports: Ports,
  point: WaitingPoint,
  from: number,
): Promise<boolean> => {
  for (const step of arrivalPath(positionAmong(point.requires, from), point.requires.length)) {
    const syncPoint = await ports.store.getSyncPoint(keyOf(point, step.bucket));
    if (!syncPoint?.arrived.includes(step.predecessor)) return false;
    if (syncPoint.arrived.length < step.fanIn) return true;
  }
  return true;
};

/** The input data of a ready node. */
export const readInputs = async (
  ports: Ports,
  point: WaitingPoint,
): Promise<readonly NodeData[]> => {
  if (point.requires.length === 0) return [];
  if (point.requires.length > INLINE_FAN_IN_MAX) {
    return Object.values(await ports.store.listInputData(keyOf(point, "")));
  }
  const syncPoint = await ports.store.getSyncPoint(keyOf(point, ""));
  return Object.values(syncPoint?.inputData ?? {});
};

/** Every key that a waiting point may have written, for deleting a traversal's points together. */
export const syncPointKeys = (point: WaitingPoint): readonly SyncPointKey[] => {
  if (point.requires.length === 0) return [];
  const keys = [keyOf(point, "")];
  let members = point.requires.length;
  for (let level = 1; members > BUCKET_MEMBERS_MAX; level++) {
    members = Math.ceil(members / BUCKET_MEMBERS_MAX);
    for (let bucket = 0; bucket < members; bucket++) keys.push(keyOf(point, `${level}.${bucket}`));
  }
  return keys;
};
