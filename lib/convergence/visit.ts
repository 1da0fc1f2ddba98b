import type { GraphNode, NodeData, NodeKey } from "#lib/model/graph.ts";
import type { Resource, TraversalNode } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type CheckResourceMessage,
  MESSAGE_BATCH_MAX,
  type Message,
  type QueueName,
} from "#lib/ports/queue.ts";
import type { IndexedGraph } from "./graph/indexed-graph.ts";
import { likeRow } from "./graph/spread-rows.ts";
import { inParallelWhile } from "./in-parallel.ts";
import { NODE_DATA_BYTES_MAX, SYNC_POINT_MARGIN_MS } from "./limits.ts";
import { checkResourceMessage, type TraversalKey } from "./messages.ts";

export interface Visit {
  readonly message: CheckResourceMessage;
  readonly stack: Stack;
  readonly index: IndexedGraph;
  /** The node that this visit acts for. A replacement acts for the row it replaces. */
  readonly node: GraphNode;
  /** The row of the message, as read. It is null when it does not exist yet. */
  readonly row: Resource | null;
}

export interface Budget {
  readonly remainingMs: () => number;
  readonly visited?: (node: CheckResourceMessage, outcome: CheckOutcome) => void;
  /** False on the first delivery: then no earlier visit can have died half-way. */
  readonly isRepeated?: boolean;
}

/** How a visit ended. With every outcome the message can be acknowledged. */
export type CheckOutcome =
  | "propagated"
  /** The row has a replacement, and the replacement is visited next. */
  | "replaced"
  | "failed"
  | "pending"
  | "paused"
  /** The row is busy. One visit waits for it and is sent again with a delay. */
  | "blocked"
  /** The poll came before its time. Another message is on its way. */
  | "early"
  | "stale"
  | "dropped"
  | "fenced"
  /** Another worker has the lease by now, or the lease is too short for a call. */
  | "lost"
  /** The operation has ended and is recorded, but its traversal was overtaken. */
  | "overtaken"
  /** The row is to be read again: another writer, or a step of this visit, has changed it. */
  | "moved";

export interface VisitResult {
  readonly outcome: CheckOutcome;
  /** What is visited next: completed by this arrival, a replacement, or this node once more. */
  readonly ready?: readonly NodeKey[];
  /** Nodes that an earlier visit made ready, and may not have sent. */
  readonly again?: readonly NodeKey[];
  /** Nodes that an earlier visit made ready, and that are done. */
  readonly done?: readonly NodeKey[];
}

export const syncPointExpiry = (stack: Stack): number => stack.deadline + SYNC_POINT_MARGIN_MS;

export const rowOf = ({ stack, node, message }: Visit) => ({
  tenant: stack.tenant,
  stackId: stack.id,
  id: message.resourceId,
  name: node.name,
});

/** The id of the row that replaces `rowId` in a traversal. Every worker derives the same one. */
export const replacementId = (
  ports: Pick<Ports, "ids">,
  traversalId: string,
  rowId: string,
): string => likeRow(rowId, ports.ids.derive("replacement", traversalId, rowId));

export const sendMessages = async (
  ports: Ports,
  queue: QueueName,
  messages: readonly Message[],
  goesOn?: () => boolean,
): Promise<number> => sendEach(ports, queue, messages, (message) => message, goesOn);

/** Makes the messages of a batch when it is sent, because there may be a hundred thousand. */
const sendEach = async <Item>(
  ports: Ports,
  queue: QueueName,
  items: readonly Item[],
  messageOf: (item: Item) => Message,
  goesOn: () => boolean = () => true,
): Promise<number> => {
  const batches = function* () {
    for (let at = 0; at < items.length; at += MESSAGE_BATCH_MAX) {
      const batch = items.slice(at, at + MESSAGE_BATCH_MAX);
      yield () => ports.queue.send(queue, batch.map(messageOf));
    }
  };
  const sent = await inParallelWhile(batches(), goesOn);
  return Math.min(sent * MESSAGE_BATCH_MAX, items.length);
};

export const sendVisits = (
  ports: Ports,
  traversal: TraversalKey,
  nodes: readonly NodeKey[],
  goesOn?: () => boolean,
): Promise<number> =>
  sendEach(ports, "check", nodes, (node) => checkResourceMessage(traversal, node), goesOn);

export const ownsOperation = (
  row: { readonly operation: TraversalNode | null } | null,
  message: TraversalNode,
): boolean =>
  row?.operation?.traversalId === message.traversalId &&
  row.operation.isUpdate === message.isUpdate;

/** The waiting visits read a reference that is too large from the row. */
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
