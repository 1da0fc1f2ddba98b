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

/** Dead letters were delivered too often; what even their handler cannot work off is given up. Stream failures are changes that made no progress. */
export type QueueHolds = "work" | "dead-letters" | "given-up" | "stream-failures";

/** A look at one queue. SQS counts approximately, and may be a minute behind. */
export interface QueueDepth {
  readonly queue: string;
  readonly holds: QueueHolds;
  /** Could be received now. */
  readonly waiting: number;
  /** Sent with a delay that is not over. */
  readonly delayed: number;
  /** Received, and neither deleted nor visible again. */
  readonly inFlight: number;
  /** For how long the oldest of those that wait could have been received; null: none waits, or the service does not tell. */
  readonly oldestWaitingMs: number | null;
}

export interface Queue {
  /** At most MESSAGE_BATCH_MAX messages; `delayMs` is capped by the service at 900,000. */
  send(queue: QueueName, messages: readonly Message[], delayMs?: number): Promise<void>;
  /** The work queues and what else this worker may look at, each by itself and not all at one moment: for people, nothing is decided by it. */
  depths(): Promise<readonly QueueDepth[]>;
}

/** Deliveries of a message before the queue makes a dead letter of it. */
export const RECEIVES_MAX = 10;
export const MESSAGE_BATCH_MAX = 10;
export const MESSAGE_DELAY_MS_MAX = 900_000;
