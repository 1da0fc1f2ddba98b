/**
 * Hands one batch of received messages to a handler, like Lambda's event source mapping: a failed
 * message comes again.
 */
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { ReceivableQueue, ReceivedMessage, SqliteQueue } from "#lib/adapters/sqlite/queue.ts";
import { lambdaContext, sqsEvent } from "./lambda-events.ts";

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 60_000;

export interface HandledQueue {
  readonly queue: ReceivableQueue;
  readonly handler: QueueHandler;
  /** The time that Lambda would give the handler for the batch. */
  readonly limitMs: number;
}

/** Returns how many messages were handled. The others come again after a while. */
export const deliver = async (
  source: Pick<SqliteQueue, "deleteAll" | "changeVisibility">,
  delivery: HandledQueue,
  messages: readonly ReceivedMessage[],
): Promise<number> => {
  const failed = await failures(delivery, messages);
  for (const message of messages) {
    if (failed.has(message.messageId))
      source.changeVisibility(message.receiptHandle, backoffMs(message.receiveCount));
  }
  const handled = messages.filter(({ messageId }) => !failed.has(messageId));
  await source.deleteAll(handled.map(({ receiptHandle }) => receiptHandle));
  return messages.length - failed.size;
};

const failures = async (
  { queue, handler, limitMs }: HandledQueue,
  messages: readonly ReceivedMessage[],
): Promise<ReadonlySet<string>> => {
  try {
    const { batchItemFailures } = await handler(
      sqsEvent(queue, messages),
      lambdaContext(queue, limitMs),
    );
    return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  } catch {
    // As on AWS: a handler that throws has handled nothing of its batch.
    return new Set(messages.map(({ messageId }) => messageId));
  }
};

const backoffMs = (receiveCount: number): number =>
  Math.min(BACKOFF_MS_MIN * 2 ** Math.min(receiveCount - 1, 16), BACKOFF_MS_MAX);
