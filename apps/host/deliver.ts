/** Passes a batch of received messages to a handler, as Lambda's event source mapping does. */
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as deadLetterHandler } from "#functions/dead-letter/handler.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ReceivableQueue, ReceivedMessage } from "#lib/ports/queue.ts";
import { lambdaContext, sqsEvent } from "./lambda-events.ts";

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

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
  readonly limitMs: number;
}

/**
 * Never throws.
 * @returns the ids of the messages that the handler has not handled
 */
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
    // As on AWS, a handler that throws has handled no message of its batch.
    return new Set(messages.map(({ messageId }) => messageId));
  }
};
