/**
 * A prepare of a large stack takes longer than its invocation. When the time is short it sends
 * itself again and ends. A row that is stamped stays stamped, so the next message goes on behind
 * it. It is a new message, so no number of rounds makes it a dead letter.
 */
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { PrepareTraversalMessage } from "#lib/ports/queue.ts";
import { PREPARE_REMAINING_MS_MIN } from "./limits.ts";
import { writeRunning } from "./traversal.ts";
import type { Budget } from "./visit.ts";

export type PrepareBudget = Pick<Budget, "remainingMs">;

export const UNBOUNDED: PrepareBudget = { remainingMs: () => Number.POSITIVE_INFINITY };

export const hasTime =
  ({ remainingMs }: PrepareBudget) =>
  (): boolean =>
    remainingMs() >= PREPARE_REMAINING_MS_MIN;

/**
 * Tells the sweeper that the traversal's messages are under way (P11), and sends the next one.
 * Without `firstLeaf` that one stamps rows. Otherwise it sends the leaves from that one on.
 */
export const prepareLater = async (
  ports: Ports,
  stack: Stack,
  message: PrepareTraversalMessage,
  firstLeaf?: number,
): Promise<"continued" | "stale"> => {
  if (!(await writeRunning(ports, stack, { sentAt: ports.clock.now() }))) return "stale";
  const next = { ...message, ...(firstLeaf !== undefined && { firstLeaf }) };
  await ports.queue.send("prepare", [next]);
  return "continued";
};
