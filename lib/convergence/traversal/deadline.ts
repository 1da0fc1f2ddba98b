/** The deadline of a stack (P7). The sweeper and the Step Functions supervisor both decide here. */
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isStale } from "#lib/stack/stack-predicates.ts";
import { publishedGraph } from "../graph/store-graph.ts";
import type { TraversalKey } from "../messages.ts";
import { failOnDeadline } from "./failure.ts";

/** @returns the milliseconds that are left, or 0 after it has ended an overdue traversal. */
export const endIfOverdue = async (ports: Ports, stack: Stack): Promise<number> => {
  const leftMs = stack.deadline - ports.clock.now();
  if (leftMs > 0) return leftMs;
  await failOnDeadline(ports, stack, await publishedGraph(ports, stack));
  return 0;
};

export interface DeadlineOutcome {
  readonly ended: boolean;
  readonly timeoutSeconds: number;
}

const SECOND_MS = 1_000;
const ENDED: DeadlineOutcome = { ended: true, timeoutSeconds: 1 };

/** The clock of the caller may be ahead of ours. */
export const endAtDeadline = async (
  ports: Ports,
  traversal: TraversalKey,
): Promise<DeadlineOutcome> => {
  const stack = await ports.store.getStack(traversal.tenant, traversal.stackId);
  if (stack === null || isStale(stack, traversal)) return ENDED;
  const leftMs = await endIfOverdue(ports, stack);
  return leftMs === 0 ? ENDED : { ended: false, timeoutSeconds: Math.ceil(leftMs / SECOND_MS) };
};
