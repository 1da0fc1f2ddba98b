/**
 * Sending to the queues. One call is one SendMessageBatch. Receiving is not here: the platform
 * feeds the handlers (Lambda's event source, the embedded host's poller).
 */

export type QueueName = "prepare" | "check" | "poll";

export interface CheckResourceMessage {
  readonly type: "check_resource";
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
  readonly resourceId: string;
  readonly isUpdate: boolean;
  /** Of a first poll whose sender still holds the row's lease (P26). */
  readonly kept?: KeptLease | undefined;
  /** Of a dead letter: the process ended whenever it handled this message. */
  readonly endsProcess?: boolean | undefined;
}

/** What the holder of a lease knows, and the row does not. */
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
  /** The first of the published graph's leaves to send. Absent: this is not known, or all. */
  readonly firstLeaf?: number;
  /** Of a dead letter: the process ended whenever it handled this message. */
  readonly endsProcess?: boolean | undefined;
}

export type Message = CheckResourceMessage | PrepareTraversalMessage;

/**
 * Dead letters were delivered too often. "given-up" holds the dead letters that their handler
 * failed to process. Stream failures are changes that the events handler failed to process.
 */
export type QueueHolds = "work" | "dead-letters" | "given-up" | "stream-failures";

/** How full one queue is. SQS counts approximately, and may be a minute behind. */
export interface QueueDepth {
  readonly queue: string;
  readonly holds: QueueHolds;
  /** Messages that could be received now. */
  readonly waiting: number;
  /** Messages whose delay is not over. */
  readonly delayed: number;
  /** Messages that were received and are neither deleted nor visible again. */
  readonly inFlight: number;
  /**
   * How long the oldest waiting message has been receivable. Null: none waits, or the service does
   * not say.
   */
  readonly oldestWaitingMs: number | null;
}

export interface Queue {
  /** Sends at most MESSAGE_BATCH_MAX messages. `delayMs` is capped at MESSAGE_DELAY_MS_MAX. */
  send(queue: QueueName, messages: readonly Message[], delayMs?: number): Promise<void>;
  /**
   * The depths of the work queues and of the other queues that this worker may read. They are not
   * taken at the same moment. No promise may rest on them: people read them, and the sweeper
   * decides by them how many visits of a backlog it repeats.
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
