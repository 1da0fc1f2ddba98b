/**
 * Sends to the queues. One call is one SendMessageBatch. The platform does the receiving: Lambda's
 * event source, or the embedded host with a `ReceivingQueue`.
 */

export type QueueName = "prepare" | "check" | "poll";

interface TraversalMessage {
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
  readonly endsProcess?: boolean | undefined;
}

export interface CheckResourceMessage extends TraversalMessage {
  readonly type: "check_resource";
  readonly resourceId: string;
  readonly isUpdate: boolean;
  /** Set in a first poll whose sender still holds the row's lease (P26). */
  readonly kept?: KeptLease | undefined;
}

export interface KeptLease {
  readonly token: string;
  readonly handle: string;
  readonly physicalResourceId: string;
}

export interface PrepareTraversalMessage extends TraversalMessage {
  readonly type: "prepare_traversal";
  readonly firstLeaf?: number;
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

export const DEAD_LETTER_QUEUE = "dead-letter";
export const RECEIVABLE_QUEUES = ["prepare", "check", "poll", DEAD_LETTER_QUEUE] as const;
export type ReceivableQueue = (typeof RECEIVABLE_QUEUES)[number];

export interface ReceivedMessage {
  readonly messageId: string;
  /** The queue ignores this handle once the message has been received again. */
  readonly receiptHandle: string;
  readonly tenant: string;
  readonly body: string;
  readonly receiveCount: number;
  readonly sentAt: number;
  readonly sourceQueue: string | null;
}

export interface QueuedMessage {
  readonly messageId: string;
  readonly queue: string;
  readonly type: string;
  readonly visibleAt: number;
  readonly receiveCount: number;
  readonly body: string;
}

interface NextMessage {
  readonly queue: ReceivableQueue;
  readonly visibleAt: number;
}

type MayTake = (tenant: string) => number;

/**
 * The receiving side of the queues, for a process that feeds its own handlers. It behaves like
 * standard SQS: a received message is invisible for a while, and is delivered again unless it is
 * deleted. After too many receives it moves to the dead-letter queue.
 */
export interface ReceivingQueue extends Queue {
  /**
   * Returns at most `max` visible messages. Projects get equal shares, and within a project the
   * message that has been visible longest comes first. The result may be incomplete, but is not
   * empty while a message can be received. The same call moves dead letters out of the queue.
   */
  receive(
    queue: ReceivableQueue,
    max: number,
    visibilityMs: number,
    mayTake?: MayTake,
  ): readonly ReceivedMessage[];
  deleteAll(receiptHandles: readonly string[]): Promise<void>;
  changeVisibility(receiptHandle: string, visibilityMs: number): void;
  next(queues: readonly ReceivableQueue[], mayTake?: MayTake): NextMessage | null;
  messages(): readonly QueuedMessage[];
}
