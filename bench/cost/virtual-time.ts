/**
 * Time as the model counts it: it moves between the waves of a run, by the assumed latencies. A
 * slow machine must not end a visit's inline chain, which would cost a message.
 */
import type { Clock } from "#lib/ports/clock.ts";
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
   * Goes on to the first due message, and sends all that come due within `windowMs` of it. Each is
   * one send, as it was for its caller. False: there is none.
   */
  release(windowMs: number): Promise<boolean>;
}

/** Holds messages with a delay until virtual time has come so far. */
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
