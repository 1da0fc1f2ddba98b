/**
 * Sending to the queues: one call is one SendMessageBatch. Messages carry ids only. Receiving is not
 * here: the platform (Lambda's event source, the embedded host's poller) feeds the handlers.
 */

export type QueueName = "prepare" | "check" | "poll";

export interface CheckResourceMessage {
  readonly type: "check_resource";
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
  readonly resourceId: string;
  readonly isUpdate: boolean;
}

export interface PrepareTraversalMessage {
  readonly type: "prepare_traversal";
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
}

export type Message = CheckResourceMessage | PrepareTraversalMessage;

export interface Queue {
  /** At most MESSAGE_BATCH_MAX messages; `delayMs` is capped by the service at 900,000. */
  send(queue: QueueName, messages: readonly Message[], delayMs?: number): Promise<void>;
}

export const MESSAGE_BATCH_MAX = 10;
export const MESSAGE_DELAY_MS_MAX = 900_000;
