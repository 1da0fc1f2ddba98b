import type { GraphNode, NodeKey } from "#lib/model/graph.ts";
import type { Resource, TraversalNode } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { convergesTo } from "#lib/stack/stack-predicates.ts";
import type { IndexedGraph } from "../graph/indexed-graph.ts";
import { inService } from "../replacement.ts";
import {
  type ArrivalPoint,
  hasArrived,
  isReady,
  pointOfNode,
  pointOfStack,
  type SyncPointSource,
} from "../sync-point.ts";
import { syncPointExpiry } from "../visit.ts";

/** Everything that waits for a node: its successors, cleanups first, and the stack's own points. */
export const waitingPoints = (
  index: IndexedGraph,
  node: GraphNode,
  stack: Stack,
): readonly (ArrivalPoint & { readonly at: number | null })[] => {
  const expiresAt = syncPointExpiry(stack);
  const successors = node.requiredBy
    .map(({ at, predecessor, ...waiting }) => ({
      ...pointOfNode(index.graph, waiting, expiresAt),
      predecessor,
      at,
    }))
    .sort((a, b) => Number(a.isUpdate) - Number(b.isUpdate));
  const { rootIndex, updateRootIndex } = node;
  const ofStack = (isUpdate: boolean, predecessor: number | null) =>
    predecessor === null
      ? []
      : [{ ...pointOfStack(index, isUpdate, expiresAt), predecessor, at: null }];
  return [
    ...successors,
    // Without cleanup nodes the same arrivals would fill both points of the stack, so one is
    // enough.
    ...ofStack(true, index.hasCleanup ? updateRootIndex : null),
    ...ofStack(false, rootIndex),
  ];
};

export const hasPropagated = async (
  ports: SyncPointSource,
  points: readonly ArrivalPoint[],
): Promise<boolean> => {
  for (const point of points) {
    if (!(await hasArrived(ports, point))) return false;
  }
  return true;
};

export const isMarkedDone = (
  row: Pick<Resource, "updateDone" | "cleanupDone"> | null,
  traversalId: string,
  isUpdate: boolean,
): boolean => row !== null && (isUpdate ? row.updateDone : row.cleanupDone) === traversalId;

export const isMarkedFailed = (row: Resource, node: TraversalNode): boolean =>
  row.failed?.traversalId === node.traversalId && row.failed.isUpdate === node.isUpdate;

/** Other nodes may find nothing to do. Then only their arrivals show that they are done. */
export const alwaysLeavesMark = (index: IndexedGraph, node: NodeKey): boolean =>
  node.isUpdate && convergesTo(index.graph.action);

/**
 * A replaced row is done when the row at the end of its chain is. A node that had nothing to do
 * leaves no mark, and is done when it has arrived at everything that waits for it.
 */
export const isDone = async (
  ports: Ports,
  index: IndexedGraph,
  node: GraphNode,
  stack: Stack,
): Promise<boolean> => {
  const { traversalId, stackId } = index.graph;
  const { resourceId, isUpdate } = node;
  const row = await ports.store.getResource({ stackId, id: resourceId });
  const serving = isUpdate ? await inService(ports, traversalId, row) : row;
  if (isMarkedDone(serving, traversalId, isUpdate)) return true;
  if (alwaysLeavesMark(index, node)) return false;
  return hasPropagated(ports, waitingPoints(index, node, stack));
};

export const isNodeReady = (
  ports: Ports,
  { graph }: IndexedGraph,
  node: GraphNode,
  stack: Stack,
): Promise<boolean> => isReady(ports, pointOfNode(graph, node, syncPointExpiry(stack)));

/** Every resource of the target is in service, as in an empty target from the start. */
export const isUpdateGood = async (
  ports: Ports,
  index: IndexedGraph,
  stack: Stack,
): Promise<boolean> =>
  index.hasCleanup && (await isReady(ports, pointOfStack(index, true, syncPointExpiry(stack))));
