/** When a node is done, and when it may be visited: what decides whether a message is sent for it. */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { convergesTo } from "#lib/stack/stack-actions.ts";
import type { IndexedGraph } from "./convergence-graph.ts";
import { inService } from "./replacement.ts";
import { hasArrived, isReady, pointOfNode, pointOfStack, type WaitingPoint } from "./sync-point.ts";
import { nodeAt, syncPointExpiry } from "./visit.ts";

/** Everything that waits for a node: its successors in the graph, cleanup first, and the stack's own points. */
export const waitingPoints = (
  index: IndexedGraph,
  at: number,
  stack: Stack,
): readonly (WaitingPoint & { readonly at: number | null })[] => {
  const expiresAt = syncPointExpiry(stack);
  const node = nodeAt(index, at);
  const successors = node.requiredBy
    .map((by) => ({ ...pointOfNode(index, by, expiresAt), at: by }))
    .sort((a, b) => Number(a.isUpdate) - Number(b.isUpdate));
  const isRoot = node.requiredBy.length === 0;
  // Without cleanup nodes both points of the stack would fill with the same arrival: one is enough.
  const makesUpdateGood =
    node.isUpdate && index.hasCleanup && !node.requiredBy.some((by) => nodeAt(index, by).isUpdate);
  return [
    ...successors,
    ...(makesUpdateGood ? [{ ...pointOfStack(index, true, expiresAt), at: null }] : []),
    ...(isRoot ? [{ ...pointOfStack(index, false, expiresAt), at: null }] : []),
  ];
};

export const hasPropagated = async (
  ports: Ports,
  index: IndexedGraph,
  at: number,
  stack: Stack,
): Promise<boolean> => {
  for (const point of waitingPoints(index, at, stack)) {
    if (!(await hasArrived(ports, point, at))) return false;
  }
  return true;
};

/** The mark that a finished node leaves on its row. */
export const isMarkedDone = (
  row: Resource | null,
  traversalId: string,
  isUpdate: boolean,
): boolean => row !== null && (isUpdate ? row.updateDone : row.cleanupDone) === traversalId;

/**
 * A replaced row is done when the row at the end of its chain is. A node that had nothing to do leaves
 * no mark: it is done when its arrival stands at everything that waits for it.
 */
export const isDone = async (
  ports: Ports,
  index: IndexedGraph,
  at: number,
  stack: Stack,
): Promise<boolean> => {
  const { traversalId, stackId, action } = index.graph;
  const { resourceId, isUpdate } = nodeAt(index, at);
  const row = await ports.store.getResource({ stackId, id: resourceId });
  const serving = isUpdate ? await inService(ports, traversalId, row) : row;
  if (isMarkedDone(serving, traversalId, isUpdate)) return true;
  const alwaysLeavesMark = isUpdate && convergesTo(action);
  return !alwaysLeavesMark && hasPropagated(ports, index, at, stack);
};

export const isNodeReady = (
  ports: Ports,
  index: IndexedGraph,
  at: number,
  stack: Stack,
): Promise<boolean> => isReady(ports, pointOfNode(index, at, syncPointExpiry(stack)));

/** (stack, update) is full: every resource of the target is in service. With an empty target that is so from the start. */
export const isUpdateGood = async (
  ports: Ports,
  index: IndexedGraph,
  stack: Stack,
): Promise<boolean> =>
  index.hasCleanup && (await isReady(ports, pointOfStack(index, true, syncPointExpiry(stack))));
