/**
 * Step mode: an engine in which nothing runs by itself. Visits (messages of the queues `check` and
 * `poll`) are delivered one at a time on request. All other messages are housekeeping and are
 * handled before and after each visit. No message is lost here, so there is no sweeper.
 */
import { INLINE_REMAINING_MS_MIN, VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { settle } from "#lib/engine/message-work.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Clock, Ports } from "#lib/ports/ports.ts";
import type { ReceivableQueue, ReceivedMessage, ReceivingQueue } from "#lib/ports/queue.ts";
import type { FaultyFakeProvider } from "./fake-provider-faults.ts";

const HOUSEKEEPING: readonly ReceivableQueue[] = ["prepare", "dead-letter"];
const VISITS: readonly ReceivableQueue[] = ["check", "poll"];
/** The clock stands still during a delivery, so any positive value would do. */
const VISIBILITY_MS = 360_000;
/**
 * With so little time left, a visit sends its successors to the queue instead of visiting them
 * inline.
 */
const VISIT_LIMIT_MS = INLINE_REMAINING_MS_MIN;

interface Stepped {
  readonly delivered: number;
  readonly pending: number;
}

/**
 * `dies`: the worker dies after its first call of the provider, or after its last write. `twice`:
 * the queue delivers the message again.
 */
export type Fate = "handled" | "dies" | "twice";

type Delivered = "handled" | "failed" | "died";

interface StepMode {
  step(visits: number, fate?: Fate): Promise<Stepped>;
  /**
   * Delivers until nothing is left. This terminates, because every operation ends at its deadline.
   */
  drain(): Promise<Stepped>;
}

type DeliverOne = (name: ReceivableQueue, fate?: Fate) => Promise<Delivered>;

const deliverer = ({ queue, faults, handle }: SteppedEngine): DeliverOne => {
  const handleOne = async (
    name: ReceivableQueue,
    message: ReceivedMessage,
    fate: Fate,
  ): Promise<Delivered> => {
    const limitMs = VISITS.includes(name) ? VISIT_LIMIT_MS : VISIT_MS_MAX;
    const failed = await handle(name, [message], limitMs);
    if (fate === "dies") return "died";
    if (fate === "twice" && failed.size === 0) queue.changeVisibility(message.receiptHandle, 0);
    else await settle(queue, [message], failed);
    return failed.size === 0 ? "handled" : "failed";
  };

  /** The message of a dead worker stays and becomes visible again after its timeout. */
  return async (name, fate = "handled") => {
    const [message] = queue.receive(name, 1, VISIBILITY_MS);
    if (message === undefined) return "failed";
    const calm = fate === "dies" ? faults.dieAtNextCall() : () => undefined;
    const death = faults.death()?.then((): Delivered => "died");
    const delivered = handleOne(name, message, fate);
    const end = await (death === undefined ? delivered : Promise.race([delivered, death]));
    calm();
    return end;
  };
};

export const stepMode = (engine: SteppedEngine): StepMode => {
  const { clock, queue } = engine;
  const deliverOne = deliverer(engine);

  const doHousekeeping = async (): Promise<void> => {
    for (;;) {
      const next = queue.next(HOUSEKEEPING);
      if (next === null || next.visibleAt > clock.now()) break;
      await deliverOne(next.queue);
    }
    await engine.feed();
  };

  const deliverVisit = async (fate: Fate): Promise<Delivered | null> => {
    for (;;) {
      await doHousekeeping();
      const next = queue.next([...HOUSEKEEPING, ...VISITS]);
      if (next === null) return null;
      const early = next.visibleAt - clock.now();
      if (early > 0) {
        clock.advance(early);
        engine.purgeExpired(clock.now());
        continue;
      }
      const delivered = await deliverOne(next.queue, fate);
      if (delivered !== "failed") return delivered;
    }
  };

  const step = async (visits: number, fate: Fate = "handled"): Promise<Stepped> => {
    let delivered = 0;
    while (delivered < visits) {
      const one = await deliverVisit(fate);
      if (one === "handled") delivered += 1;
      // Stop here, so that the user sees what the dead worker has left behind.
      else if (one === null || Number.isFinite(visits)) break;
    }
    await doHousekeeping();
    const pending = queue.messages().filter((one) => VISITS.some((name) => name === one.queue));
    return { delivered, pending: pending.length };
  };

  return { step, drain: () => step(Number.POSITIVE_INFINITY) };
};

/** The clock stands still and jumps to the next due time, so results do not depend on real time. */
interface SteppedClock extends Clock {
  advance(ms: number): void;
}

export interface ShownEngine {
  readonly ports: Ports;
  readonly queue: Pick<ReceivingQueue, "messages">;
  stacksNamed(name: string): readonly Stack[];
  countSyncPoints(traversalIds: readonly string[]): number;
}

/** What step mode needs of its process, which is a host or a browser page. */
export interface SteppedEngine extends ShownEngine {
  readonly queue: ReceivingQueue;
  readonly clock: SteppedClock;
  readonly faults: FaultyFakeProvider;
  /** @returns the ids of the messages that were not handled. Never throws. */
  handle(
    queue: ReceivableQueue,
    messages: readonly ReceivedMessage[],
    limitMs: number,
  ): Promise<ReadonlySet<string>>;
  feed(): Promise<void>;
  purgeExpired(now: number): void;
}
