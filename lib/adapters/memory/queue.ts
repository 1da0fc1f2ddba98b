import { assert } from "#lib/errors.ts";
import type { Clock } from "#lib/ports/clock.ts";
import {
  MESSAGE_BATCH_MAX,
  MESSAGE_DELAY_MS_MAX,
  type Message,
  type Queue,
  type QueueName,
} from "#lib/ports/queue.ts";

export interface PendingMessage {
  readonly id: number;
  readonly queue: QueueName;
  readonly message: Message;
  readonly deliverAt: number;
}

export interface MemoryQueue extends Queue {
  /** What was sent and not drawn yet, in the order of sending. The owner of the queue draws from it as it likes. */
  readonly pending: PendingMessage[];
}

/** Sending appends; order, duplication and loss are the simulator's. */
export const memoryQueue = (clock: Clock): MemoryQueue => {
  const pending: PendingMessage[] = [];
  let sent = 0;
  return {
    pending,
    send: async (queue, messages, delayMs = 0) => {
      assert(messages.length <= MESSAGE_BATCH_MAX, "a batch of messages is too large");
      const deliverAt = clock.now() + Math.min(delayMs, MESSAGE_DELAY_MS_MAX);
      for (const message of messages) pending.push({ id: sent++, queue, message, deliverAt });
    },
  };
};
