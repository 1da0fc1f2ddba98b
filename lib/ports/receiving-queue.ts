/**
 * The receiving side of the queues, where a process feeds its own handlers. It receives as standard
 * SQS does. A received message is invisible for a while, and is delivered again unless it is
 * deleted. After too many receives it moves to the dead-letter queue.
 */
import type { Queue } from "./queue.ts";

export const DEAD_LETTER_QUEUE = "dead-letter";
export const RECEIVABLE_QUEUES = ["prepare", "check", "poll", DEAD_LETTER_QUEUE] as const;
export type ReceivableQueue = (typeof RECEIVABLE_QUEUES)[number];

export interface ReceivedMessage {
  readonly messageId: string;
  /** Valid until the message is received again. Then the queue ignores it. */
  readonly receiptHandle: string;
  /** The project that it works for. */
  readonly tenant: string;
  /** The JSON that was sent. */
  readonly body: string;
  /**
   * How often the message was received, this time included. The dead-letter queue continues the
   * count.
   */
  readonly receiveCount: number;
  readonly sentAt: number;
  /** The queue that a dead letter comes from. Null for other messages. */
  readonly sourceQueue: string | null;
}

/** A waiting or received message, as it is shown to people. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly queue: string;
  readonly type: string;
  readonly visibleAt: number;
  readonly receiveCount: number;
  /** The JSON that was sent. */
  readonly body: string;
}

export interface NextMessage {
  readonly queue: ReceivableQueue;
  readonly visibleAt: number;
}

/** How many more messages of a project may be in hand. */
export type MayTake = (tenant: string) => number;

export interface ReceivingQueue extends Queue {
  /**
   * Returns at most `max` visible messages: as many of each project, and of a project those visible
   * longest first. It may return fewer than it could, but not none. In the same step, dead letters
   * leave the queue.
   */
  receive(
    queue: ReceivableQueue,
    max: number,
    visibilityMs: number,
    mayTake?: MayTake,
  ): readonly ReceivedMessage[];
  /** Deletes messages that were handled together. Resolves after the commit. */
  deleteAll(receiptHandles: readonly string[]): Promise<void>;
  changeVisibility(receiptHandle: string, visibilityMs: number): void;
  /**
   * The message of these queues that has been visible longest, or that will be visible first. Only
   * of projects of which one more may be taken.
   */
  next(queues: readonly ReceivableQueue[], mayTake?: MayTake): NextMessage | null;
  /** Every message of every queue, including those in flight, in the order of sending. */
  messages(): readonly QueuedMessage[];
}
