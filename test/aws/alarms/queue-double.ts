/**
 * A queue as SQS documents it: a received message is hidden until its visibility timeout ends, and
 * a message received too often goes to the dead-letter queue. The age metric leaves out a message
 * that was received three times or more.
 */
import type { ReceivedMessage } from "#lib/ports/queue.ts";

const POISON_RECEIVES = 3;

interface Held {
  readonly id: string;
  readonly body: string;
  readonly enteredAt: number;
  visibleAt: number;
  receives: number;
}

export interface QueueShape {
  readonly visibilitySeconds: number;
  readonly receivesMax: number | null;
}

export class QueueDouble {
  readonly #shape: QueueShape;
  readonly #deadLetter: (body: string, now: number) => void;
  #held: Held[] = [];
  #sent = 0;

  constructor(shape: QueueShape, deadLetter: (body: string, now: number) => void) {
    this.#shape = shape;
    this.#deadLetter = deadLetter;
  }

  send(body: string, now: number, delaySeconds = 0): void {
    const id = `m${this.#sent++}`;
    this.#held.push({ id, body, enteredAt: now, visibleAt: now + delaySeconds, receives: 0 });
  }

  receive(max: number, now: number): readonly ReceivedMessage[] {
    const { receivesMax, visibilitySeconds } = this.#shape;
    const visible = this.#held.filter(({ visibleAt }) => visibleAt <= now).slice(0, max);
    const spent = visible.filter(({ receives }) => receives === receivesMax);
    for (const { id, body } of spent) {
      this.delete(id);
      this.#deadLetter(body, now);
    }
    return visible
      .filter((held) => !spent.includes(held))
      .map((held) => {
        held.receives += 1;
        held.visibleAt = now + visibilitySeconds;
        return {
          messageId: held.id,
          receiptHandle: held.id,
          tenant: "demo",
          body: held.body,
          receiveCount: held.receives,
          sentAt: held.enteredAt,
          sourceQueue: null,
        };
      });
  }

  delete(receiptHandle: string): void {
    this.#held = this.#held.filter(({ id }) => id !== receiptHandle);
  }

  show(receiptHandle: string, visibleAt: number): void {
    for (const held of this.#held) if (held.id === receiptHandle) held.visibleAt = visibleAt;
  }

  /** SQS measures nothing for an idle queue, which has no message. */
  measured(now: number): Readonly<Record<string, number>> {
    if (this.#held.length === 0) return {};
    const ages = this.#held
      .filter(({ receives }) => receives < POISON_RECEIVES)
      .map(({ enteredAt }) => now - enteredAt);
    return {
      ApproximateNumberOfMessagesVisible: this.#held.filter(({ visibleAt }) => visibleAt <= now)
        .length,
      ...(ages.length > 0 && { ApproximateAgeOfOldestMessage: Math.max(...ages) }),
    };
  }
}
