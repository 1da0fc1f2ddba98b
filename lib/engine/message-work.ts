import { checkResource } from "#lib/convergence/converger.ts";
import { SENT_ANEW_MS } from "#lib/convergence/limits.ts";
import { handleDeadLetter } from "#lib/convergence/sweep/dead-letter.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import type { Budget } from "#lib/convergence/visit.ts";
import { Bug, RetryLater } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type Message,
  RECEIVES_MAX,
  type ReceivedMessage,
  type ReceivingQueue,
} from "#lib/ports/queue.ts";

export interface MessageWork {
  /** Returns an outcome. If it throws, the message is delivered again, with `isRepeated`. */
  readonly work: (message: Message, isRepeated: boolean) => Promise<string>;
  /**
   * Sends a message anew if the service was busy at its last delivery. Without this function the
   * queue makes it a dead letter.
   */
  readonly sendAnew?: (message: Message) => Promise<void>;
}

export const visitWork = (ports: Ports, budget: Budget): MessageWork => ({
  work: async (message, isRepeated) => {
    if (message.type !== "check_resource") throw new Bug(`${message.type} on this queue`);
    return checkResource(ports, message, { ...budget, isRepeated });
  },
  sendAnew: (message) => ports.queue.send("poll", [message], SENT_ANEW_MS),
});

export const preparation = (ports: Ports, budget: Pick<Budget, "remainingMs">): MessageWork => ({
  work: async (message) => {
    if (message.type !== "prepare_traversal") throw new Bug(`${message.type} on this queue`);
    return prepareTraversal(ports, message, budget);
  },
  sendAnew: (message) => ports.queue.send("prepare", [message], SENT_ANEW_MS),
});

export const deadLetterWork = (ports: Ports): MessageWork => ({
  work: (message) => handleDeadLetter(ports, message),
});

export const handleMessage = async (
  { work, sendAnew }: MessageWork,
  message: Message,
  receives: number,
): Promise<{ readonly outcome: string; readonly isHandled: boolean }> => {
  try {
    return { outcome: await work(message, receives > 1), isHandled: true };
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
    const isLast = receives >= RECEIVES_MAX && sendAnew !== undefined;
    // P12: a busy service is not the message's fault. Its stack's deadline ends it.
    if (isLast) await sendAnew(message);
    return { outcome: RETRIED, isHandled: isLast };
  }
};

export const RETRIED = "retried";

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
