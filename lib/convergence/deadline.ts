/** The deadline of one stack, for a supervisor that watches each operation by itself. The sweeper does the same for all. */
import type { Ports } from "#lib/ports/ports.ts";
import { indexGraph } from "./convergence-graph.ts";
import { failOnDeadline } from "./failure.ts";
import type { TraversalKey } from "./messages.ts";

export interface DeadlineOutcome {
  /** True: this traversal is at its end, or was overtaken. */
  readonly ended: boolean;
  /** What is left, at least one; meaningless once it has ended. */
  readonly timeoutSeconds: number;
}

const SECOND_MS = 1_000;

/** Does nothing before the deadline, by our clock. */
export const endAtDeadline = async (
  ports: Ports,
  { tenant, stackId, traversalId }: TraversalKey,
): Promise<DeadlineOutcome> => {
  const stack = await ports.store.getStack(tenant, stackId);
  if (stack?.traversalId !== traversalId || stack.status !== "IN_PROGRESS") {
    return { ended: true, timeoutSeconds: 1 };
  }
  const leftMs = stack.deadline - ports.clock.now();
  if (leftMs > 0) return { ended: false, timeoutSeconds: Math.ceil(leftMs / SECOND_MS) };
  const graph =
    stack.running === traversalId ? await ports.store.getGraph(stackId, traversalId) : null;
  await failOnDeadline(ports, stack, graph === null ? null : indexGraph(graph));
  return { ended: true, timeoutSeconds: 1 };
};
