import type { ReceivedMessage, ReceivingQueue } from "#lib/ports/receiving-queue.ts";

const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 60_000;

const backoffMs = (receiveCount: number): number =>
  Math.min(BACKOFF_MS_MIN * 2 ** Math.min(receiveCount - 1, 16), BACKOFF_MS_MAX);

/** As with SQS, failed messages are delivered again; the others are deleted. Can be repeated. */
export const settle = async (
  source: Pick<ReceivingQueue, "deleteAll" | "changeVisibility">,
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
