/**
 * The receiving side of the queues, for a process that feeds its own handlers. It behaves like
 * standard SQS: a received message is invisible for a while, and is delivered again unless it is
 * deleted. After too many receives it moves to the dead-letter queue.
 */
import type { Queue } from "./queue.ts";

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

export interface NextMessage {
  readonly queue: ReceivableQueue;
  readonly visibleAt: number;
}

export type MayTake = (tenant: string) => number;

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
