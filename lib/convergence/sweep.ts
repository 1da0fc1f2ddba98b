/**
 * P11, the sweeper: it repairs the loss of any message. It looks for work that stands still and
 * sends its message again. It writes the end of a traversal if the deadline has passed, or if a
 * worker died just before that write. Everything that it does twice is harmless.
 */
import { Bug, SomeUnreadable } from "#lib/errors.ts";
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isHeld } from "./claim.ts";
import type { IndexedGraph } from "./convergence-graph.ts";
import { endIfOverdue } from "./deadline.ts";
import { endIfCleanupFailed } from "./failure.ts";
import { isPaused } from "./hook.ts";
import { OVERDUE_MS_MIN, SETTLE_MS_MIN } from "./limits.ts";
import { currentTraversal, visitOfOwner } from "./messages.ts";
import { publishedGraph } from "./published-graph.ts";
import { hasPropagated, isDone, isMarkedDone, isNodeReady } from "./readiness.ts";
import { inService } from "./replacement.ts";
import { checkStackComplete } from "./stack-completion.ts";
import { isReady, pointOfStack } from "./sync-point.ts";
import { nodeAt, ownsOperation, sendMessages, sendVisits, syncPointExpiry } from "./visit.ts";

export interface SweepReport {
  readonly stacks: number;
  readonly sent: number;
  /** Deleted stacks that are not retired yet. The caller does that. */
  readonly deleted: readonly Stack[];
}

/** `overdueMsMin` is 0 when the embedded host starts, because then no message is under way. */
export const sweep = async (
  ports: Ports,
  overdueMsMin: number = OVERDUE_MS_MIN,
): Promise<SweepReport> => {
  const failures: unknown[] = [];
  const unsettled = inTurn(await unsettledStacks(ports, failures), ports.clock.now());
  const [stacks, deleted] = [unsettled.filter(isExtant), unsettled.filter((one) => !isExtant(one))];
  let sent = 0;
  for (const stack of stacks) {
    try {
      sent += await sweepOperations(ports, stack, overdueMsMin);
      if (stack.status === "IN_PROGRESS") sent += await sweepTraversal(ports, stack, overdueMsMin);
    } catch (error) {
      // A stack that cannot be swept must not stop the round. The error is thrown at the end.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { stacks: stacks.length, sent, deleted };
};

const isExtant = ({ deletedAt }: Stack): boolean => deletedAt === null;

/** The stacks that can be read. The error for the others is kept for the end. */
const unsettledStacks = async (ports: Ports, failures: unknown[]): Promise<readonly Stack[]> => {
  try {
    return await ports.store.listUnsettledStacks();
  } catch (error) {
    if (!(error instanceof SomeUnreadable)) throw error;
    // Drop the stacks from the error: a platform may log all of its members.
    failures.push(new Bug(error.message, { cause: error.cause }));
    return error.readable;
  }
};

const SWEEP_EVERY_MS = 60_000;
/** The golden ratio spreads the starting points evenly over the list, for any number of rounds. */
const STRIDE = 0.618_033_988_749_895;

/**
 * Each round starts at another stack. If a round is too short for all stacks, the next one misses
 * different ones.
 */
const inTurn = (stacks: readonly Stack[], now: number): readonly Stack[] => {
  const first = Math.floor(((Math.floor(now / SWEEP_EVERY_MS) * STRIDE) % 1) * stacks.length);
  return [...stacks.slice(first), ...stacks.slice(0, first)];
};

/**
 * Stacks at rest are swept too: after a failure an operation of another resource may go on, and its
 * poll may be lost.
 */
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
    idle.flatMap((row) => (row.operation === null ? [] : [visitOfOwner(row, row.operation)])),
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

/** No worker holds the operation, and its poll is overdue or was never sent. */
const isForgotten = (row: Resource, dueBefore: number, now: number): boolean => {
  if (row.operation === null || isHeld(row, now)) return false;
  const due = row.nextPollAt ?? row.lease?.expiresAt ?? row.operation.startedAt;
  return due <= dueBefore || row.operation.deadline <= dueBefore;
};

const sweepTraversal = async (
  ports: Ports,
  stack: Stack,
  overdueMsMin: number,
): Promise<number> => {
  if ((await endIfOverdue(ports, stack)) === 0) return 0;
  const traversal = currentTraversal(stack);
  const index = await publishedGraph(ports, stack);
  if (index === null) {
    await ports.queue.send("prepare", [{ type: "prepare_traversal", ...traversal }]);
    return 1;
  }
  // The visit that filled one of the stack's own points may have died before it ended the stack.
  if (await isReady(ports, pointOfStack(index, false, syncPointExpiry(stack)))) {
    await checkStackComplete(ports, stack, index, false);
    return 0;
  }
  await endIfCleanupFailed(ports, stack, index);
  const visits = await overdueNodes(ports, stack, index, overdueMsMin);
  await sendVisits(ports, traversal, visits);
  return visits.length;
};

/** Nodes that are ready but neither done nor busy, and done or failed nodes not yet propagated. */
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

/**
 * The row is held, has this node's operation (sweepOperations polls it), or has a visit that waits
 * and is not overdue.
 */
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
