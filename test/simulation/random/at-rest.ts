import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { isStale } from "#lib/stack/stack-predicates.ts";
import { STACK_ID, type World } from "../world/world.ts";

export const isAwaited = ({ stack, rows }: World): boolean =>
  stack !== null && rows.some(({ pause }) => pause?.cleared === false && !isStale(stack, pause));

export const isAtRest = ({ stacks, allRows }: World): boolean =>
  [...stacks.values()].every(({ status }) => status !== "IN_PROGRESS") &&
  allRows.every((row) => row.operation === null);

export const isForDoneNode = (world: World, { message }: PendingMessage): boolean => {
  if (message.type === "prepare_traversal") return false;
  const row = world.store.row(STACK_ID, message.resourceId);
  const mark = message.isUpdate ? "updateDone" : "cleanupDone";
  return row?.[mark] === message.traversalId;
};

/** Whether no fault and no user kept the last traversal from reaching its target. */
export const isGood = (
  { stack, nestedCheckers: { meddledAt }, interruptions: { timedOutAt } }: World,
  lastFailureAt: number,
): boolean => {
  if (stack === null) return false;
  const isCancelled = stack.statusReason.endsWith("cancelled");
  // Only an update creates a deleted nested stack again. Suspending or resuming the owner fails.
  const converges = !["SUSPEND", "RESUME"].includes(stack.action);
  return (
    Math.max(lastFailureAt, timedOutAt, meddledAt) < stack.traversalNumber &&
    (converges || meddledAt < 0) &&
    !isCancelled &&
    stack.action !== "CHECK"
  );
};
