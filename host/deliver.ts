/**
 * Hands one batch of received messages to a handler, like Lambda's event source mapping: a failed
 * message comes again.
 */
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as deadLetterHandler } from "#functions/dead-letter/handler.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import type { ReceivableQueue, ReceivedMessage, SqliteQueue } from "#lib/adapters/sqlite/queue.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { lambdaContext, sqsEvent } from "./lambda-events.ts";

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 60_000;

/** The handler of each queue, as the event source mappings on AWS have it. */
export const queueHandlers = (ports: Ports): Readonly<Record<ReceivableQueue, QueueHandler>> => {
  const check = checkHandler(ports);
  return {
    prepare: prepareHandler(ports),
    check,
    poll: check,
    "dead-letter": deadLetterHandler(ports),
  };
};

export interface HandledQueue {
  readonly queue: ReceivableQueue;
  readonly handler: QueueHandler;
  /** The time that Lambda would give the handler for the batch. */
  readonly limitMs: number;
}

type Source = Pick<SqliteQueue, "deleteAll" | "changeVisibility">;

/** Returns how many messages were handled. The others come again after a while. */
export const deliver = async (
  source: Source,
  delivery: HandledQueue,
  messages: readonly ReceivedMessage[],
): Promise<number> => {
  const failed = await failures(delivery, messages);
  await settle(source, messages, failed);
  return messages.length - failed.size;
};

/** Gives the failed messages back and deletes the others. It may be repeated. */
export const settle = async (
  source: Source,
  messages: readonly ReceivedMessage[],
  failed: ReadonlySet<string>,
): Promise<void> => {
  for (const message of messages) {
    if (failed.has(message.messageId))
      source.changeVisibility(message.receiptHandle, backoffMs(message.receiveCount));
  }
  const handled = messages.filter(({ messageId }) => !failed.has(messageId));
  await source.deleteAll(handled.map(({ receiptHandle }) => receiptHandle));
};

/** Returns the ids of the messages that the handler has not handled. It never throws. */
export const failures = async (
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
