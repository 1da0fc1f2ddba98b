/**
 * Sends to the queues. One call is one SendMessageBatch. The platform does the receiving: Lambda's
 * event source, or the embedded host with receiving-queue.ts.
 */

export type QueueName = "prepare" | "check" | "poll";

export interface CheckResourceMessage {
  readonly type: "check_resource";
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
  readonly resourceId: string;
  readonly isUpdate: boolean;
  /** Set in a first poll whose sender still holds the row's lease (P26). */
  readonly kept?: KeptLease | undefined;
  readonly endsProcess?: boolean | undefined;
}

export interface KeptLease {
  readonly token: string;
  readonly handle: string;
  readonly physicalResourceId: string;
}

export interface PrepareTraversalMessage {
  readonly type: "prepare_traversal";
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
  readonly firstLeaf?: number;
  readonly endsProcess?: boolean | undefined;
}

export type Message = CheckResourceMessage | PrepareTraversalMessage;

/**
 * Dead letters were delivered too often. "given-up" contains dead letters that their handler failed
 * to process. "stream-failures" contains changes that the events handler failed to process.
 */
export type QueueHolds = "work" | "dead-letters" | "given-up" | "stream-failures";

/** SQS counts approximately, and its counts may be a minute old. */
export interface QueueDepth {
  readonly queue: string;
  readonly holds: QueueHolds;
  readonly waiting: number;
  readonly delayed: number;
  readonly inFlight: number;
  readonly oldestWaitingMs: number | null;
}

export interface Queue {
  send(queue: QueueName, messages: readonly Message[], delayMs?: number): Promise<void>;
  /**
   * The depths of the work queues and of the other queues that this worker may read, not all from
   * one moment. Correctness must not depend on them: they are for people, and the sweeper uses them
   * to choose how many visits of a backlog it repeats.
   */
  depths(): Promise<readonly QueueDepth[]>;
}

/**
 * Deliveries of a message before the queue makes it a dead letter.
 * @limit deliveries of a message
 * @beyond the resource or the stack that it stood for fails, with a reason
 */
export const RECEIVES_MAX = 10;
/**
 * @limit ends of the host while it handles one message alone
 * @beyond the resource or the stack that it stood for fails, with a reason
 */
export const ALONE_MAX = 3;
export const MESSAGE_BATCH_MAX = 10;
/**
 * @limit delay of a message
 * @beyond a longer poll is sent on
 */
export const MESSAGE_DELAY_MS_MAX = 900_000;
