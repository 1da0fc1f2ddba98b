/**
 * Reads what a visit needs. Messages repeat, so it also finds what an earlier visit has left
 * behind: an operation, an end or a replacement. converger.ts decides about a free row.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import { isStale } from "#lib/stack/stack-predicates.ts";
import { storedGraph } from "./graph/store-graph.ts";
import { graphPosition } from "./replacement.ts";
import { isMarkedDone, isMarkedFailed } from "./traversal/readiness.ts";
import { ownsOperation, replacementId, type Visit } from "./visit.ts";

export type ReadVisit =
  | { readonly kind: "open"; readonly visit: Visit }
  /** The traversal does not run, and the row has no operation of this node. */
  | { readonly kind: "stale" }
  /** The graph has no node for the row, or another traversal has to create the row. */
  | { readonly kind: "dropped" };

export type OpenedVisit =
  | ReadVisit
  /** A newer traversal has stamped or claimed the row, and sends its own visits. */
  | { readonly kind: "fenced" }
  | {
      /**
       * - `begun`: an earlier visit of this node has begun an operation, which has not ended.
       * - `done`, `failed`: an earlier visit has brought the node to its end.
       * - `replaced`: this traversal has pointed the row at its replacement.
       * - `busy`: the row has an operation of another node.
       */
      readonly kind: "begun" | "done" | "failed" | "replaced" | "busy";
      readonly visit: Visit;
      readonly row: Resource;
    };

export const readVisit = async (
  ports: Ports,
  message: CheckResourceMessage,
): Promise<ReadVisit> => {
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  const row = await ports.store.getResource({ stackId: message.stackId, id: message.resourceId });
  const owns = ownsOperation(row, message);
  // A stale visit still ends its own node's operation, which would otherwise block the row (P3.0).
  if (stack === null || (isStale(stack, message) && !owns)) return { kind: "stale" };
  const index = await storedGraph(ports, message.stackId, message.traversalId);
  // The graph was never published, or was removed with its stack.
  if (index === null) return { kind: "stale" };
  const at = await graphPosition(ports, index, message, row);
  if (at === undefined) return { kind: "dropped" };
  const node = await index.nodeAt(at);
  return { kind: "open", visit: { message, stack, index, node, row } };
};

export const openVisit = async (
  ports: Ports,
  message: CheckResourceMessage,
): Promise<OpenedVisit> => {
  const read = await readVisit(ports, message);
  if (read.kind !== "open") return read;
  const { visit } = read;
  const { row, index, node } = visit;
  // Only the traversal that mints a row may create it (P10).
  if (row === null) return message.isUpdate && !node.mints ? { kind: "dropped" } : read;
  if (ownsOperation(row, message)) return { kind: "begun", visit, row };
  if (isMarkedDone(row, message.traversalId, message.isUpdate)) return { kind: "done", visit, row };
  if (isMarkedFailed(row, message)) return { kind: "failed", visit, row };
  if (message.isUpdate && row.replacedBy === replacementId(ports, message.traversalId, row.id)) {
    return { kind: "replaced", visit, row };
  }
  if (row.number > index.graph.traversalNumber) return { kind: "fenced" };
  return row.operation === null ? read : { kind: "busy", visit, row };
};
