/**
 * Sweeps one stack (P11): sends messages again for work that stands still, and makes the write that
 * ends a traversal if nobody has. Repeating any of this is harmless.
 */
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { StackKey } from "#lib/ports/store.ts";
import { type PlannedRow, plannedRows } from "#lib/stack/planned-rows.ts";
import type { Backlog } from "./backlog.ts";
import { isHeld } from "./claim.ts";
import { endIfOverdue } from "./deadline.ts";
import { endIfCleanupFailed } from "./failure.ts";
import { currentTraversal, visitOfOwner } from "./messages.ts";
import { publishedGraph } from "./published-graph.ts";
import { isLongOver, settleStack } from "./settle-stack.ts";
import { checkStackComplete } from "./stack-completion.ts";
import { findStalledNodes, isRecent } from "./stalled-nodes.ts";
import { sendMessages, sendVisits } from "./visit.ts";

export interface SweepLimits {
  readonly overdueMsMin: number;
  /** A queue that drops duplicates by itself needs no backlog. */
  readonly backlog: Backlog | null;
  readonly retire: (stack: Stack) => Promise<unknown>;
}

export const sweepStack = async (
  ports: Ports,
  key: StackKey,
  limits: SweepLimits,
): Promise<number> => {
  const stack = await ports.store.getStack(key.tenant, key.id);
  // The list comes from an index that may be late.
  if (stack === null || stack.settled) return 0;
  // A delete is never refused (P1), so a deleted stack may be in progress once more.
  if (stack.deletedAt !== null && stack.status !== "IN_PROGRESS") {
    await limits.retire(stack);
    return 0;
  }
  // No operation runs in a COMPLETE stack.
  if (stack.status === "COMPLETE" && !isLongOver(stack, ports.clock.now())) return 0;
  const rows = await plannedRows(ports, stack.id);
  const polls = await sweepOperations(ports, stack, rows, limits.overdueMsMin);
  if (stack.status !== "IN_PROGRESS") return polls;
  return polls + (await sweepTraversal(ports, stack, rows, limits));
};

/** Stacks at rest are swept too: an operation of another resource may still run after a failure. */
const sweepOperations = async (
  ports: Ports,
  stack: Stack,
  rows: readonly PlannedRow[],
  overdueMsMin: number,
): Promise<number> => {
  const now = ports.clock.now();
  const busy = rows.filter((row) => row.operation !== null);
  const idle = busy.filter((row) => isForgotten(row, now - overdueMsMin, now));
  await sendMessages(
    ports,
    "poll",
    idle.flatMap((row) => (row.operation === null ? [] : [visitOfOwner(row, row.operation)])),
  );
  if (stack.status !== "IN_PROGRESS" && busy.length === 0 && isLongOver(stack, now)) {
    await settleStack(ports, stack, rows);
  }
  return idle.length;
};

/** No worker holds the operation, and its poll is overdue or was never sent. */
const isForgotten = (row: PlannedRow, dueBefore: number, now: number): boolean => {
  if (row.operation === null || isHeld(row, now)) return false;
  const due = row.nextPollAt ?? row.lease?.expiresAt ?? row.operation.startedAt;
  return due <= dueBefore || row.operation.deadline <= dueBefore;
};

const sweepTraversal = async (
  ports: Ports,
  stack: Stack,
  rows: readonly PlannedRow[],
  { overdueMsMin, backlog }: SweepLimits,
): Promise<number> => {
  if ((await endIfOverdue(ports, stack)) === 0) return 0;
  const traversal = currentTraversal(stack);
  const index = await publishedGraph(ports, stack);
  if (index === null) {
    if (isRecent(stack.sentAt, ports.clock.now(), overdueMsMin)) return 0;
    await ports.queue.send("prepare", [{ type: "prepare_traversal", ...traversal }]);
    return 1;
  }
  const swept = { stack, index, overdueMsMin };
  const { isComplete, stalled } = await findStalledNodes(ports, swept, rows);
  // The visit that filled the stack's own point may have died before it ended the stack.
  if (isComplete) {
    await checkStackComplete(ports, stack, index, false);
    return 0;
  }
  await endIfCleanupFailed(ports, stack, index);
  const due = backlog === null ? stalled : await backlog.dueOf(stalled);
  await sendVisits(ports, traversal, due);
  return due.length;
};
