/** What a visit reads first: the stack, the row, the graph, and the node that it acts for. */
import type { Ports } from "#lib/ports/ports.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import { isStale } from "#lib/stack/is-stale.ts";
import { storedGraph } from "./published-graph.ts";
import { graphPosition } from "./replacement.ts";
import { ownsOperation, type Visit } from "./visit.ts";

export type OpenedVisit =
  | { readonly kind: "open"; readonly visit: Visit }
  /** The traversal does not run, and the row has no operation of this node. */
  | { readonly kind: "stale" }
  /** The graph does not name the row, and the row replaces none that it names. */
  | { readonly kind: "dropped" };

export const openVisit = async (
  ports: Ports,
  message: CheckResourceMessage,
): Promise<OpenedVisit> => {
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  const row = await ports.store.getResource({ stackId: message.stackId, id: message.resourceId });
  const owns = ownsOperation(row, message);
  // P3.0: a stale visit still ends its own node's operation, which would block the row otherwise.
  if (stack === null || (isStale(stack, message) && !owns)) return { kind: "stale" };
  const index = await storedGraph(ports, message.stackId, message.traversalId);
  // The graph was never published, or was removed with its stack.
  if (index === null) return { kind: "stale" };
  const at = await graphPosition(ports, index, message, row);
  if (at === undefined) return { kind: "dropped" };
  const node = await index.nodeAt(at);
  return { kind: "open", visit: { message, stack, index, node, row } };
};
