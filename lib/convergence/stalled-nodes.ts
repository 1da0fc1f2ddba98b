/**
 * Which nodes of a traversal stand still: they are ready, but neither done nor busy. Or they are
 * done, and have not arrived everywhere. Whatever began or ended a moment ago has its message under
 * way, so a time gate leaves it alone. The rows were read before the SyncPoints: a node that moves
 * in between looks late at worst, and gets one visit too many.
 */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import type { PlannedRow } from "#lib/stack/planned-rows.ts";
import { isHeld } from "./claim.ts";
import type { IndexedGraph } from "./convergence-graph.ts";
import { isPaused } from "./hook.ts";
import { SWEPT_NODES_MAX } from "./limits.ts";
import { alwaysLeavesMark, hasPropagated, isMarkedDone, waitingPoints } from "./readiness.ts";
import { inService, type RowSource } from "./replacement.ts";
import {
  isReady,
  keysOfArrival,
  keysOfPoint,
  pointOfNode,
  pointOfStack,
  readSyncPoints,
  readySince,
  type SyncPointSource,
  type WaitingPoint,
} from "./sync-point.ts";
import { nodeAt, ownsOperation, syncPointExpiry } from "./visit.ts";

export interface StalledNode extends NodeKey {
  readonly at: number;
}

interface StallReport {
  /** Every node has arrived at the stack's own point, but the traversal has not ended. */
  readonly isComplete: boolean;
  readonly stalled: readonly StalledNode[];
}

interface SweptTraversal {
  readonly stack: Stack;
  readonly index: IndexedGraph;
  readonly overdueMsMin: number;
}

/** A node of which only SyncPoints can say whether it stands still. */
interface Suspect {
  readonly at: number;
  readonly row: PlannedRow | null;
  /** Its own point. Null: its row says that the node is done. */
  readonly point: WaitingPoint | null;
  /** Where its arrival may be missing. Null: only its row can say that the node is done. */
  readonly successors: readonly WaitingPoint[] | null;
}

/**
 * A time that is far ahead is from a clock that was set back since. It must not silence the
 * sweeper, so it counts as past.
 */
export const isRecent = (at: number | null, now: number, overdueMsMin: number): boolean =>
  at !== null && Math.abs(now - at) < overdueMsMin;

export const findStalledNodes = async (
  ports: Ports,
  swept: SweptTraversal,
  rows: readonly PlannedRow[],
): Promise<StallReport> => {
  const { index, stack } = swept;
  const serving = await servingRows(ports, index, rows);
  const end = pointOfStack(index, false, syncPointExpiry(stack));
  const mayBeComplete = index.roots.every((at) => !isOpen(index, serving, at));
  const stalled: StalledNode[] = [];
  // A graph without nodes may be complete too.
  for (let from = 0; from === 0 || from < index.graph.nodes.length; from += SWEPT_NODES_MAX) {
    const suspects = suspectsAmong(swept, serving, ports.clock.now(), from);
    const asksForEnd = mayBeComplete && from === 0;
    const points = await readSyncPoints(ports, [
      ...(asksForEnd ? keysOfPoint(end) : []),
      ...suspects.flatMap(({ at, point, successors }) => [
        ...(point === null ? [] : keysOfPoint(point)),
        ...(successors ?? []).flatMap((successor) => keysOfArrival(successor, at)),
      ]),
    ]);
    if (asksForEnd && (await isReady(points, end))) return { isComplete: true, stalled: [] };
    for (const suspect of suspects) {
      if (!(await isStalled(points, suspect, ports.clock.now(), swept.overdueMsMin))) continue;
      const { resourceId, isUpdate } = nodeAt(index, suspect.at);
      stalled.push({ at: suspect.at, resourceId: suspect.row?.id ?? resourceId, isUpdate });
    }
    await pauseIfDue(ports);
  }
  return { isComplete: false, stalled };
};

/** By position: the row in service for an update, the row itself for a cleanup. */
const servingRows = async (
  ports: Ports,
  { graph }: IndexedGraph,
  rows: readonly PlannedRow[],
): Promise<readonly (PlannedRow | null)[]> => {
  const byId = new Map(rows.map((row) => [row.id, row] as const));
  const listed: RowSource<PlannedRow> = {
    ids: ports.ids,
    store: { getResource: async ({ id }) => byId.get(id) ?? null },
  };
  const serving: (PlannedRow | null)[] = [];
  for (const { resourceId, isUpdate } of graph.nodes) {
    const named = byId.get(resourceId) ?? null;
    serving.push(isUpdate ? await inService(listed, graph.traversalId, named) : named);
  }
  return serving;
};

/** Not done for certain: a done node would have left its mark. */
const isOpen = (
  index: IndexedGraph,
  serving: readonly (PlannedRow | null)[],
  at: number,
): boolean => {
  const { traversalId } = index.graph;
  const isMarked = isMarkedDone(serving[at] ?? null, traversalId, nodeAt(index, at).isUpdate);
  return alwaysLeavesMark(index, at) && !isMarked;
};

const suspectsAmong = (
  { stack, index, overdueMsMin }: SweptTraversal,
  serving: readonly (PlannedRow | null)[],
  now: number,
  from: number,
): readonly Suspect[] => {
  const { traversalId, nodes } = index.graph;
  const recent = (at: number | null): boolean => isRecent(at, now, overdueMsMin);
  const isMarked = (at: number): boolean =>
    isMarkedDone(serving[at] ?? null, traversalId, nodeAt(index, at).isUpdate);
  /** A done node was ready, so everything that it waits for has arrived there. */
  const openSuccessors = (at: number) =>
    waitingPoints(index, at, stack).filter((point) => point.at === null || !isMarked(point.at));

  const some = nodes.slice(from, from + SWEPT_NODES_MAX);
  return some.flatMap(({ isUpdate, requires }, offset): readonly Suspect[] => {
    const at = from + offset;
    const row = serving[at] ?? null;
    if (isPaused(row, { traversalId, isUpdate }) || recent(row?.updatedAt ?? null)) return [];
    if (isMarked(at)) {
      const successors = openSuccessors(at);
      return successors.length === 0 ? [] : [{ at, row, point: null, successors }];
    }
    if (row !== null && isBusy(row, { traversalId, isUpdate }, now - overdueMsMin, now)) return [];
    const isReadySinceSent = requires.length === 0 && recent(stack.sentAt);
    if (isReadySinceSent || requires.some((by) => isOpen(index, serving, by))) return [];
    const successors = alwaysLeavesMark(index, at) ? null : openSuccessors(at);
    return [{ at, row, point: pointOfNode(index, at, syncPointExpiry(stack)), successors }];
  });
};

/**
 * The row is held, has this node's operation (its poll is sent), or has a visit that waits and is
 * not overdue.
 */
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
  { at, point, successors }: Suspect,
  now: number,
  overdueMsMin: number,
): Promise<boolean> => {
  if (point !== null) {
    if (!(await isReady(points, point))) return false;
    if (isRecent(await readySince(points, point), now, overdueMsMin)) return false;
  }
  return successors === null || !(await hasPropagated(points, successors, at));
};
