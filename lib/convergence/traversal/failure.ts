/** What a failed node or a passed deadline does to the stack (P7). */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { StackClause } from "#lib/ports/conditions.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { canRollBack, convergesTo } from "#lib/stack/stack-predicates.ts";
import { shortReason } from "../complete.ts";
import type { IndexedGraph } from "../graph/indexed-graph.ts";
import type { Visit } from "../visit.ts";
import { isUpdateGood } from "./readiness.ts";
import { reachedTarget, startRollback, writeRunning } from "./traversal.ts";

const convergesRows = (stack: Stack): boolean => convergesTo(stack.action);

export const failTraversal = (ports: Ports, visit: Visit, row: Resource): Promise<void> => {
  const { stack } = visit;
  // A refused update leaves the row as it is, so the row's action is an earlier one.
  const isFinding = row.action === "CHECK" && convergesRows(stack);
  const action = row.status === "FAILED" && !isFinding ? row.action : "UPDATE";
  return failForReason(ports, visit, `Resource ${action} failed: ${row.statusReason}`);
};

export const failForReason = async (ports: Ports, visit: Visit, reason: string): Promise<void> => {
  const { stack, node } = visit;
  if (node.isUpdate || !convergesRows(stack)) return failStack(ports, stack, reason);
  // A failed cleanup must not roll back a good update, so the update part goes on.
  const marked = await writeRunning(ports, stack, { cleanupFailed: shortReason(reason) });
  if (marked) await endIfCleanupFailed(ports, { ...stack, cleanupFailed: reason }, visit.index);
};

const failStack = async (
  ports: Ports,
  stack: Stack,
  reason: string,
  also: readonly StackClause[] = [],
): Promise<void> => {
  const rollsBack = !stack.disableRollback && canRollBack(stack.action);
  if (rollsBack) await startRollback(ports, stack, reason, also);
  else {
    const change = { status: "FAILED" as const, statusReason: shortReason(reason) };
    await writeRunning(ports, stack, change, also);
  }
};

/** The target of a traversal with a failed cleanup is in service, so it becomes `lastGood`. */
export const endIfCleanupFailed = async (
  ports: Ports,
  stack: Stack,
  index: IndexedGraph,
): Promise<void> => {
  if (stack.cleanupFailed === null || !(await isUpdateGood(ports, index, stack))) return;
  await writeRunning(ports, stack, {
    status: "FAILED",
    statusReason: shortReason(stack.cleanupFailed),
    ...reachedTarget(ports, stack),
  });
};

export const failOnDeadline = async (
  ports: Ports,
  stack: Stack,
  index: IndexedGraph | null,
): Promise<void> => {
  const reason = `Stack ${stack.action} timed out`;
  if (index !== null && convergesRows(stack) && (await isUpdateGood(ports, index, stack))) {
    await writeRunning(ports, stack, {
      status: "FAILED",
      statusReason: reason,
      ...reachedTarget(ports, stack),
    });
    return;
  }
  // The stack must be as read. Otherwise a worker that stalled before the graph was published would
  // roll back an update that has become good since.
  const asRead = [{ clause: "statusVersionIs", statusVersion: stack.statusVersion }] as const;
  await failStack(ports, stack, reason, asRead);
};
