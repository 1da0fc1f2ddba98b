import { assert } from "#lib/errors.ts";
import type { Clock } from "#lib/ports/ports.ts";
import {
  DEAD_LETTER_QUEUE,
  MESSAGE_BATCH_MAX,
  MESSAGE_DELAY_MS_MAX,
  type QueueDepth,
  RECEIVABLE_QUEUES,
  RECEIVES_MAX,
  type ReceivableQueue,
  type ReceivedMessage,
  type ReceivingQueue,
} from "#lib/ports/queue.ts";
import { takeInTurn } from "../local/take-in-turn.ts";

interface Held {
  readonly sequence: number;
  readonly queue: ReceivableQueue;
  readonly tenant: string;
  readonly type: string;
  readonly visibleAt: number;
  readonly sentAt: number;
  readonly receiveCount: number;
  readonly source: ReceivableQueue | null;
  readonly body: string;
}

export interface MemoryReceivingQueue extends ReceivingQueue {
  clear(): void;
}

const byTime = (one: Held, other: Held): number =>
  one.visibleAt - other.visibleAt || one.sequence - other.sequence;

/** The receive count is part of the handle, so a later receive makes the handle invalid. */
const receiptOf = ({ sequence, receiveCount }: Held): string => `${sequence}.${receiveCount}`;
const messageIdOf = ({ sequence }: Held): string => `message-${sequence}`;

const received = (held: Held): ReceivedMessage => ({
  messageId: messageIdOf(held),
  receiptHandle: receiptOf(held),
  tenant: held.tenant,
  body: held.body,
  receiveCount: held.receiveCount,
  sentAt: held.sentAt,
  sourceQueue: held.source,
});

const depthOf = (all: readonly Held[], queue: ReceivableQueue, now: number): QueueDepth => {
  const waiting = all.filter(({ visibleAt }) => visibleAt <= now);
  const hidden = all.filter(({ visibleAt }) => visibleAt > now);
  const oldest = waiting.toSorted(byTime)[0];
  return {
    queue,
    holds: queue === DEAD_LETTER_QUEUE ? "dead-letters" : "work",
    waiting: waiting.length,
    delayed: hidden.filter(({ receiveCount }) => receiveCount === 0).length,
    inFlight: hidden.filter(({ receiveCount }) => receiveCount > 0).length,
    oldestWaitingMs: oldest === undefined ? null : now - oldest.visibleAt,
  };
};

export const memoryReceivingQueue = (clock: Clock): MemoryReceivingQueue => {
  const held = new Map<number, Held>();
  const last = new Map<ReceivableQueue, string>();
  let sent = 0;
  const inQueues = (queues: readonly ReceivableQueue[]): readonly Held[] =>
    [...held.values()].filter(({ queue }) => queues.includes(queue)).toSorted(byTime);
  const ofReceipt = (receiptHandle: string): Held | undefined =>
    [...held.values()].find((one) => one.receiveCount > 0 && receiptOf(one) === receiptHandle);
  const put = (one: Held): Held => {
    held.set(one.sequence, one);
    return one;
  };

  const receiveOne = (one: Held, visibilityMs: number): readonly ReceivedMessage[] => {
    const now = clock.now();
    const { queue, receiveCount } = one;
    if (queue !== DEAD_LETTER_QUEUE && receiveCount >= RECEIVES_MAX) {
      put({ ...one, queue: DEAD_LETTER_QUEUE, source: queue, visibleAt: now });
      return [];
    }
    const visibleAt = now + visibilityMs;
    return [received(put({ ...one, receiveCount: receiveCount + 1, visibleAt }))];
  };

  return {
    send: async (queue, messages, delayMs = 0) => {
      assert(messages.length <= MESSAGE_BATCH_MAX, "a batch of messages is too large");
      const sentAt = clock.now();
      const visibleAt = sentAt + Math.min(delayMs, MESSAGE_DELAY_MS_MAX);
      for (const message of messages) {
        const { tenant, type } = message;
        const body = JSON.stringify(message);
        const sequence = ++sent;
        const fresh = { visibleAt, sentAt, receiveCount: 0, source: null, body };
        put({ sequence, queue, tenant, type, ...fresh });
      }
    },
    depths: async () =>
      RECEIVABLE_QUEUES.map((queue) => depthOf(inQueues([queue]), queue, clock.now())),
    receive: (queue, max, visibilityMs, mayTake) => {
      const visible = inQueues([queue]).filter(({ visibleAt }) => visibleAt <= clock.now());
      const waiting = [...new Set(visible.map(({ tenant }) => tenant))];
      return takeInTurn(waiting, last.get(queue) ?? "", max, mayTake).flatMap((turn) => {
        last.set(queue, turn.tenant);
        return visible
          .filter(({ tenant }) => tenant === turn.tenant)
          .slice(0, turn.messages)
          .flatMap((one) => receiveOne(one, visibilityMs));
      });
    },
    deleteAll: async (receiptHandles) => {
      for (const handle of receiptHandles) held.delete(ofReceipt(handle)?.sequence ?? 0);
    },
    changeVisibility: (receiptHandle, visibilityMs) => {
      const one = ofReceipt(receiptHandle);
      if (one !== undefined) put({ ...one, visibleAt: clock.now() + visibilityMs });
    },
    next: (queues, mayTake = () => 1) =>
      inQueues(queues).find(({ tenant }) => mayTake(tenant) > 0) ?? null,
    messages: () =>
      [...held.values()].map((one) => {
        const { queue, type, visibleAt, receiveCount, body } = one;
        return { messageId: messageIdOf(one), queue, type, visibleAt, receiveCount, body };
      }),
    clear: () => held.clear(),
  };
};
