/**
 * The model's time. It advances between the waves of a run by the assumed latencies, so a slow
 * machine cannot end a visit's inline chain, which would cost a message.
 */
import type { Clock } from "#lib/ports/ports.ts";
import type { Message, Queue, QueueName } from "#lib/ports/queue.ts";

export interface VirtualClock extends Clock {
  advance(ms: number): void;
}

export const virtualClock = (): VirtualClock => {
  let now = Date.now();
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
};

interface Delayed {
  readonly queue: QueueName;
  readonly messages: readonly Message[];
  readonly dueAt: number;
}

export interface DelayedSends {
  readonly queue: Queue;
  /**
   * Advances to the first due message and sends all messages that become due within `windowMs` of
   * it.
   * @returns false when no message is waiting.
   */
  release(windowMs: number): Promise<boolean>;
}

export const delayedSends = (inner: Queue, clock: VirtualClock): DelayedSends => {
  let held: readonly Delayed[] = [];
  return {
    queue: {
      ...inner,
      send: async (queue, messages, delayMs = 0) => {
        if (delayMs === 0) return inner.send(queue, messages);
        held = [...held, { queue, messages, dueAt: clock.now() + delayMs }];
      },
    },
    release: async (windowMs) => {
      if (held.length === 0) return false;
      const end = Math.min(...held.map(({ dueAt }) => dueAt)) + windowMs;
      clock.advance(Math.max(end - clock.now(), 0));
      const due = held.filter(({ dueAt }) => dueAt <= end);
      held = held.filter(({ dueAt }) => dueAt > end);
      for (const { queue, messages } of due) await inner.send(queue, messages);
      return true;
    },
  };
};
