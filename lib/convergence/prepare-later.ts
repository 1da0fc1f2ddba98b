/**
 * A prepare of a large stack can take longer than its invocation. Then it sends itself again.
 * Stamped rows stay stamped, so the next round goes on behind them. Each round is a new message, so
 * no number of rounds makes a dead letter.
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

/** `sentAt` tells the sweeper that messages are under way (P11). */
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
