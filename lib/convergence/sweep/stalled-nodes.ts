/**
 * Finds the nodes that stand still: they are ready but neither done nor busy, or done without
 * having arrived everywhere. A time gate leaves alone what began or ended a moment ago, because its
 * message is under way. The rows were read before the SyncPoints, so a node that moves in between
 * may look late, and gets one visit too many.
 */
import type { GraphNode, NodeKey } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import type { PlannedRow } from "#lib/stack/planned-rows.ts";
import { isHeld } from "../claim.ts";
import type { IndexedGraph } from "../graph/indexed-graph.ts";
import { isPaused } from "../hook.ts";
import { inService, type RowSource } from "../replacement.ts";
import {
  type ArrivalPoint,
  isReady,
  keysOfArrival,
  keysOfPoint,
  pointOfNode,
  pointOfStack,
  readSyncPoints,
  readySince,
  type SyncPointSource,
  type WaitingPoint,
} from "../sync-point.ts";
import {
  alwaysLeavesMark,
  hasPropagated,
  isMarkedDone,
  waitingPoints,
} from "../traversal/readiness.ts";
import { ownsOperation, syncPointExpiry } from "../visit.ts";

export interface StalledNode extends NodeKey {
  readonly at: number;
}

interface StallReport {
  readonly isComplete: boolean;
  readonly stalled: readonly StalledNode[];
}

interface SweptTraversal {
  readonly stack: Stack;
  readonly index: IndexedGraph;
  readonly overdueMsMin: number;
}

/** A node that may stand still. Only SyncPoints can tell. */
interface Suspect {
  readonly node: StalledNode;
  readonly point: WaitingPoint | null;
  readonly successors: readonly ArrivalPoint[] | null;
}

interface RowsOfNodes {
  readonly serving: readonly (PlannedRow | null)[];
  readonly isMarked: readonly boolean[];
  /** The nodes that surely wait: a predecessor that is done would have left a mark. */
  readonly isWaiting: ReadonlySet<number>;
  readonly isRootOpen: boolean;
}

/** A time far ahead comes from a clock that was set back since. It must not silence the sweeper. */
export const isRecent = (at: number | null, now: number, overdueMsMin: number): boolean =>
  at !== null && Math.abs(now - at) < overdueMsMin;

export const findStalledNodes = async (
  ports: Ports,
  swept: SweptTraversal,
  rows: readonly PlannedRow[],
): Promise<StallReport> => {
  const { index, stack } = swept;
  const known = await rowsOfNodes(ports, index, rows);
  const end = pointOfStack(index, false, syncPointExpiry(stack));
  if (!known.isRootOpen) {
    const points = await readSyncPoints(ports, keysOfPoint(end));
    if (await isReady(points, end)) return { isComplete: true, stalled: [] };
  }
  const stalled: StalledNode[] = [];
  let first = 0;
  // Part by part, because all points and successors together take much memory.
  for await (const nodes of index.walk()) {
    const suspects = suspectsAmong(swept, known, ports.clock.now(), nodes, first);
    stalled.push(...(await stalledAmong(ports, suspects, swept.overdueMsMin)));
    first += nodes.length;
    await pauseIfDue(ports);
  }
  return { isComplete: false, stalled };
};

const stalledAmong = async (
  ports: Ports,
  suspects: readonly Suspect[],
  overdueMsMin: number,
): Promise<readonly StalledNode[]> => {
  const points = await readSyncPoints(
    ports,
    suspects.flatMap(({ point, successors }) => [
      ...(point === null ? [] : keysOfPoint(point)),
      ...(successors ?? []).flatMap(keysOfArrival),
    ]),
  );
  const stalled: StalledNode[] = [];
  for (const suspect of suspects) {
    if (await isStalled(points, suspect, ports.clock.now(), overdueMsMin)) {
      stalled.push(suspect.node);
    }
  }
  return stalled;
};

const rowsOfNodes = async (
  ports: Ports,
  index: IndexedGraph,
  rows: readonly PlannedRow[],
): Promise<RowsOfNodes> => {
  const byId = new Map(rows.map((row) => [row.id, row] as const));
  const listed: RowSource<PlannedRow> = {
    ids: ports.ids,
    store: { getResource: async ({ id }) => byId.get(id) ?? null },
  };
  const { traversalId } = index.graph;
  const serving: (PlannedRow | null)[] = [];
  const isMarked: boolean[] = [];
  const isWaiting = new Set<number>();
  let isRootOpen = false;
  for await (const nodes of index.walk()) {
    for (const node of nodes) {
      const named = byId.get(node.resourceId) ?? null;
      const row = node.isUpdate ? await inService(listed, traversalId, named) : named;
      const isDone = isMarkedDone(row, traversalId, node.isUpdate);
      serving.push(row);
      isMarked.push(isDone);
      if (isDone || !alwaysLeavesMark(index, node)) continue;
      isRootOpen ||= node.rootIndex !== null;
      for (const { at } of node.requiredBy) isWaiting.add(at);
    }
    await pauseIfDue(ports);
  }
  return { serving, isMarked, isWaiting, isRootOpen };
};

const suspectsAmong = (
  swept: SweptTraversal,
  known: RowsOfNodes,
  now: number,
  nodes: readonly GraphNode[],
  first: number,
): readonly Suspect[] =>
  nodes.flatMap((node, index) => suspectOf(swept, known, now, node, first + index) ?? []);

const suspectOf = (
  { stack, index, overdueMsMin }: SweptTraversal,
  { serving, isMarked, isWaiting }: RowsOfNodes,
  now: number,
  graphNode: GraphNode,
  at: number,
): Suspect | null => {
  const { traversalId } = index.graph;
  const { isUpdate, fanIn } = graphNode;
  const recent = (time: number | null): boolean => isRecent(time, now, overdueMsMin);
  const row = serving[at] ?? null;
  const node = { at, resourceId: row?.id ?? graphNode.resourceId, isUpdate };
  /** A successor that is done was ready, so this node has arrived there. */
  const openSuccessors = () =>
    waitingPoints(index, graphNode, stack).filter(
      (point) => point.at === null || !isMarked[point.at],
    );

  if (isPaused(row, { traversalId, isUpdate }) || recent(row?.updatedAt ?? null)) return null;
  if (isMarked[at]) {
    const successors = openSuccessors();
    return successors.length === 0 ? null : { node, point: null, successors };
  }
  if (row !== null && isBusy(row, { traversalId, isUpdate }, now - overdueMsMin, now)) return null;
  if (isWaiting.has(at) || (fanIn === 0 && recent(stack.sentAt))) return null;
  return {
    node,
    point: pointOfNode(index.graph, graphNode, syncPointExpiry(stack)),
    successors: alwaysLeavesMark(index, graphNode) ? null : openSuccessors(),
  };
};

/** `sweepOperations` sends the poll of this node's operation. */
const isBusy = (
  row: PlannedRow,
  node: { readonly traversalId: string; readonly isUpdate: boolean },
  dueBefore: number,
  now: number,
): boolean =>
  isHeld(row, now) ||
  ownsOperation(row, node) ||
  (row.waitUntil !== null && row.waitUntil > dueBefore);

const isStalled = async (
  points: SyncPointSource,
  { point, successors }: Suspect,
  now: number,
  overdueMsMin: number,
): Promise<boolean> => {
  if (point !== null) {
    if (!(await isReady(points, point))) return false;
    if (isRecent(await readySince(points, point), now, overdueMsMin)) return false;
  }
  return successors === null || !(await hasPropagated(points, successors));
};
