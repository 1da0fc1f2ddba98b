/** What a visit of one node knows, and how the messages of its traversal are made. */
import { present } from "#lib/errors.ts";
import type { ConvergenceNode, NodeData, NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import { MESSAGE_BATCH_MAX, type Message, type QueueName } from "#lib/ports/queue.ts";
import type { IndexedGraph } from "./convergence-graph.ts";
import { inParallel } from "./in-parallel.ts";
import { NODE_DATA_BYTES_MAX, SYNC_POINT_MARGIN_MS } from "./limits.ts";
import { checkResourceMessage } from "./messages.ts";

export interface Visit {
  readonly message: CheckResourceMessage;
  readonly stack: Stack;
  readonly index: IndexedGraph;
  /** Position of the node that this visit acts for: a replacement acts for the row that it replaces. */
  readonly at: number;
  readonly node: ConvergenceNode;
  /** The row of the message, as read; null while this traversal has not minted it. */
  readonly row: Resource | null;
}

export const nodeAt = (index: IndexedGraph, at: number): ConvergenceNode =>
  present(index.graph.nodes[at], `node ${at} of traversal ${index.graph.traversalId}`);

export const syncPointExpiry = (stack: Stack): number => stack.deadline + SYNC_POINT_MARGIN_MS;

/** The id of the row that a traversal makes to replace a row: the same however often it is computed. */
export const replacementId = (ports: Ports, traversalId: string, rowId: string): string =>
  ports.ids.derive("replacement", traversalId, rowId);

export const sendMessages = async (
  ports: Ports,
  queue: QueueName,
  messages: readonly Message[],
): Promise<void> => {
  const batches: (() => Promise<void>)[] = [];
  for (let at = 0; at < messages.length; at += MESSAGE_BATCH_MAX) {
    const batch = messages.slice(at, at + MESSAGE_BATCH_MAX);
    batches.push(() => ports.queue.send(queue, batch));
  }
  await inParallel(batches);
};

export const sendVisits = (
  ports: Ports,
  traversal: { readonly tenant: string; readonly stackId: string; readonly traversalId: string },
  nodes: readonly NodeKey[],
): Promise<void> =>
  sendMessages(
    ports,
    "check",
    nodes.map((node) => checkResourceMessage(traversal, node)),
  );

/** Whether the row's operation belongs to this node of this traversal. */
export const ownsOperation = (
  row: Pick<Resource, "operation"> | null,
  message: { readonly traversalId: string; readonly isUpdate: boolean },
): boolean =>
  row?.operation?.traversalId === message.traversalId &&
  row.operation.isUpdate === message.isUpdate;

/** What the waiting visits get. Too large a reference does not travel: they read it from the row. */
export const nodeDataOf = (
  { node, message }: Visit,
  row: Resource | null,
  checkFailed: boolean,
): NodeData => {
  const reference = row?.reference ?? null;
  return {
    id: row?.id ?? message.resourceId,
    name: node.name,
    reference: reference !== null && reference.length <= NODE_DATA_BYTES_MAX ? reference : null,
    checkFailed,
  };
};

/** What a worker may use for one message, and who wants to hear of the nodes that it visits. */
export interface Budget {
  readonly remainingMs: () => number;
  readonly visited?: (node: CheckResourceMessage, outcome: CheckOutcome) => void;
  /** False where this is the message's first delivery: then none before it can have ended half-way. */
  readonly isRepeated?: boolean;
}

/** Why the message could be acknowledged; "moved" means that the row was written in between and is read again. */
export type CheckOutcome =
  | "propagated"
  | "replaced"
  | "failed"
  | "pending"
  | "paused"
  | "blocked"
  | "early"
  | "stale"
  | "dropped"
  | "fenced"
  | "lost"
  | "overtaken"
  | "moved";

/** What a visit leaves to do: nodes to visit next, and done ones that were ready already (P6). */
export interface Step {
  readonly outcome: CheckOutcome;
  readonly ready?: readonly NodeKey[];
  /** Ready too, but this visit is not the first that has arrived there. */
  readonly again?: readonly NodeKey[];
  readonly done?: readonly NodeKey[];
}
