/** Hands one batch of received messages to a handler, like Lambda's event source mapping. */
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as deadLetterHandler } from "#functions/dead-letter/handler.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ReceivableQueue, ReceivedMessage } from "#lib/ports/receiving-queue.ts";
import { lambdaContext, sqsEvent } from "./lambda-events.ts";

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

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
