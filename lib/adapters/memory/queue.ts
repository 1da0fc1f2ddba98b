import { assert } from "#lib/errors.ts";
import type { Clock } from "#lib/ports/ports.ts";
import {
  MESSAGE_BATCH_MAX,
  MESSAGE_DELAY_MS_MAX,
  type Message,
  type Queue,
  type QueueDepth,
  type QueueName,
} from "#lib/ports/queue.ts";

export interface PendingMessage {
  readonly id: number;
  readonly queue: QueueName;
  readonly message: Message;
  readonly deliverAt: number;
}

export interface MemoryQueue extends Queue {
  readonly pending: PendingMessage[];
}

const QUEUE_NAMES = ["prepare", "check", "poll"] as const satisfies readonly QueueName[];

const depthOf = (pending: readonly PendingMessage[], queue: QueueName, now: number): QueueDepth => {
  const times = pending.filter((one) => one.queue === queue).map(({ deliverAt }) => deliverAt);
  const due = times.filter((deliverAt) => deliverAt <= now);
  return {
    queue,
    holds: "work",
    waiting: due.length,
    delayed: times.length - due.length,
    inFlight: 0,
    oldestWaitingMs: due.length === 0 ? null : now - Math.min(...due),
  };
};

/** The simulation decides about order, duplicates and losses. */
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
    depths: async () => QUEUE_NAMES.map((queue) => depthOf(pending, queue, clock.now())),
  };
};
