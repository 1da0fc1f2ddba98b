/**
 * P11, the sweeper: repairs the loss of any message. It reads what stands still and only sends
 * messages, or makes the deadline's write; whatever it sends twice is harmless.
 */
import { Bug, SomeUnreadable } from "#lib/errors.ts";
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type IndexedGraph, indexGraph } from "./convergence-graph.ts";
import { endIfCleanupFailed, failOnDeadline } from "./failure.ts";
import { isPaused } from "./hook.ts";
import { OVERDUE_MS_MIN, SETTLE_MS_MIN } from "./limits.ts";
import { checkResourceMessage } from "./messages.ts";
import { hasPropagated, isDone, isMarkedDone, isNodeReady } from "./readiness.ts";
import { inService } from "./replacement.ts";
import { checkStackComplete } from "./stack-completion.ts";
import { isReady, pointOfStack } from "./sync-point.ts";
import { nodeAt, ownsOperation, sendMessages, sendVisits, syncPointExpiry } from "./visit.ts";

export interface SweepReport {
  readonly stacks: number;
  readonly sent: number;
}

/** `overdueMsMin` is 0 where nothing can be under way: when the embedded host starts. */
export const sweep = async (
  ports: Ports,
  overdueMsMin: number = OVERDUE_MS_MIN,
): Promise<SweepReport> => {
  const failures: unknown[] = [];
  const stacks = inTurn(await unsettledStacks(ports, failures), ports.clock.now());
  let sent = 0;
  for (const stack of stacks) {
    try {
      sent += await sweepOperations(ports, stack, overdueMsMin);
      if (stack.status === "IN_PROGRESS") sent += await sweepTraversal(ports, stack, overdueMsMin);
    } catch (error) {
      // One stack that cannot be swept must not cost the others their net. It is said at the end.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { stacks: stacks.length, sent };
};

/** Those that can be read: one that cannot must not cost the others their net either. */
const unsettledStacks = async (ports: Ports, failures: unknown[]): Promise<readonly Stack[]> => {
  try {
    return await ports.store.listUnsettledStacks();
  } catch (error) {
    if (!(error instanceof SomeUnreadable)) throw error;
    // Without the stacks: a platform may write all members of an error into its log.
    failures.push(new Bug(error.message, { cause: error.cause }));
    return error.readable;
  }
};

const SWEEP_EVERY_MS = 60_000;
/** The golden section: however many rounds there are, no part of the list is long without a beginning in it. */
const STRIDE = 0.618_033_988_749_895;

/** Each round begins elsewhere: where one is too short for all stacks, those that it does not come to are not the same each time. */
const inTurn = (stacks: readonly Stack[], now: number): readonly Stack[] => {
  const first = Math.floor(((Math.floor(now / SWEEP_EVERY_MS) * STRIDE) % 1) * stacks.length);
  return [...stacks.slice(first), ...stacks.slice(0, first)];
};

/** In stacks at rest too: a sibling of the resource that failed may still be at work, and its poll be lost. */
const sweepOperations = async (
  ports: Ports,
  stack: Stack,
  overdueMsMin: number,
): Promise<number> => {
  const now = ports.clock.now();
  const rows = await ports.store.listResources(stack.id);
  const busy = rows.filter((row) => row.operation !== null);
  const idle = busy.filter((row) => isForgotten(row, now - overdueMsMin, now));
  await sendMessages(
    ports,
    "poll",
    idle.flatMap((row) =>
      row.operation === null
        ? []
        : [
            checkResourceMessage(
              { tenant: stack.tenant, stackId: stack.id, traversalId: row.operation.traversalId },
              { resourceId: row.id, isUpdate: row.operation.isUpdate },
            ),
          ],
    ),
  );
  const hasSettled = stack.endedAt !== null && stack.endedAt < now - SETTLE_MS_MIN;
  if (stack.status !== "IN_PROGRESS" && busy.length === 0 && hasSettled) {
    await ports.store.writeStack(
      stack.tenant,
      stack.id,
      [{ clause: "statusVersionIs", statusVersion: stack.statusVersion }],
      { settled: true },
    );
  }
  return idle.length;
};

/** An operation that nobody holds, and whose poll is overdue or was never sent. */
const isForgotten = (row: Resource, dueBefore: number, now: number): boolean => {
  if (row.operation === null || isHeld(row, now)) return false;
  const due = row.nextPollAt ?? row.lease?.expiresAt ?? row.operation.startedAt;
  return due <= dueBefore || row.operation.deadline <= dueBefore;
};

const isHeld = (row: Resource, now: number): boolean =>
  row.lease !== null && row.lease.expiresAt > now;

const sweepTraversal = async (
  ports: Ports,
  stack: Stack,
  overdueMsMin: number,
): Promise<number> => {
  const now = ports.clock.now();
  const traversal = { tenant: stack.tenant, stackId: stack.id, traversalId: stack.traversalId };
  const graph =
    stack.running === stack.traversalId
      ? await ports.store.getGraph(stack.id, stack.traversalId)
      : null;
  if (stack.deadline <= now) {
    await failOnDeadline(ports, stack, graph === null ? null : indexGraph(graph));
    return 0;
  }
  if (graph === null) {
    await ports.queue.send("prepare", [{ type: "prepare_traversal", ...traversal }]);
    return 1;
  }
  const index = indexGraph(graph);
  // Whoever filled one of the stack's own points may have died before it acted on that.
  if (await isReady(ports, pointOfStack(index, false, syncPointExpiry(stack)))) {
    await checkStackComplete(ports, stack, index, false);
    return 0;
  }
  await endIfCleanupFailed(ports, stack, index);
  const visits = await overdueNodes(ports, stack, index, overdueMsMin);
  await sendVisits(ports, traversal, visits);
  return visits.length;
};

/** Ready, not done and not busy; or done, or failed, and not propagated. */
const overdueNodes = async (
  ports: Ports,
  stack: Stack,
  index: IndexedGraph,
  overdueMsMin: number,
): Promise<readonly NodeKey[]> => {
  const rows = new Map(
    (await ports.store.listResources(stack.id)).map((row) => [row.id, row] as const),
  );
  const overdue: NodeKey[] = [];
  for (let at = 0; at < index.graph.nodes.length; at++) {
    const { resourceId, isUpdate } = nodeAt(index, at);
    const named = rows.get(resourceId) ?? null;
    const row = isUpdate ? await inService(ports, stack.traversalId, named) : named;
    if (!(await isOverdue(ports, stack, index, at, row, overdueMsMin))) continue;
    overdue.push({ resourceId: row?.id ?? resourceId, isUpdate });
  }
  return overdue;
};

const isOverdue = async (
  ports: Ports,
  stack: Stack,
  index: IndexedGraph,
  at: number,
  row: Resource | null,
  overdueMsMin: number,
): Promise<boolean> => {
  const now = ports.clock.now();
  const { isUpdate } = nodeAt(index, at);
  if (isPaused(row, { traversalId: stack.traversalId, isUpdate })) return false;
  if (isMarkedDone(row, stack.traversalId, isUpdate)) {
    return !(await hasPropagated(ports, index, at, stack));
  }
  if (row !== null && isBusy(row, stack, isUpdate, now, overdueMsMin)) return false;
  return (await isNodeReady(ports, index, at, stack)) && !(await isDone(ports, index, at, stack));
};

/** Held, waiting for its poll (sweepOperations sees to that), or with a visit that waits and is not overdue. */
const isBusy = (
  row: Resource,
  stack: Stack,
  isUpdate: boolean,
  now: number,
  overdueMsMin: number,
): boolean =>
  isHeld(row, now) ||
  ownsOperation(row, { traversalId: stack.traversalId, isUpdate }) ||
  (row.waitUntil !== null && row.waitUntil > now - overdueMsMin);
