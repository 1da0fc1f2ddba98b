/**
 * Step mode: the host without anything that moves by itself. Visits (messages of the queues `check` and
 * `poll`) are delivered one at a time and only when asked for; everything else is housekeeping, and is
 * done before and after each. The sweeper has nothing to repair here: no message is ever lost.
 */
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as deadLetterHandler } from "#functions/dead-letter/handler.ts";
import { handler as eventsHandler } from "#functions/events/handler.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import type { ReceivableQueue } from "#lib/adapters/sqlite/queue.ts";
import { INLINE_REMAINING_MS_MIN, VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { feedChanges } from "./change-feed.ts";
import { type Delivery, deliver } from "./deliver.ts";
import type { HostPorts, StepPorts } from "./host-ports.ts";
import { sendingWhatWasLost } from "./sweeper.ts";

const HOUSEKEEPING: readonly ReceivableQueue[] = ["prepare", "dead-letter"];
const VISITS: readonly ReceivableQueue[] = ["check", "poll"];
/** The clock stands still during a delivery, so this only has to be more than nothing. */
const VISIBILITY_MS = 360_000;
/** With no more time left than this, a visit leaves its successors to the queue instead of going on inline. */
const VISIT_LIMIT_MS = INLINE_REMAINING_MS_MIN;

export interface Stepped {
  /** Visits that were handled to their end; a delivery that failed and comes again is none. */
  readonly delivered: number;
  /** Visits that are queued, delayed ones too. */
  readonly pending: number;
}

export interface StepMode {
  /** Fewer than `visits` only where there are no more. */
  step(visits: number): Promise<Stepped>;
  /** Until nothing is left. It ends, because every operation ends at its deadline. */
  drain(): Promise<Stepped>;
  /** Forgets stacks, rows, objects of the fake provider, messages and faults. */
  reset(): void;
}

export const stepMode = (host: StepPorts): StepMode => {
  const { database, clock, faults, objects } = host;
  const { queue } = database;
  const deliveries = deliveriesTo(host.ports);
  const events = eventsHandler(host.ports);

  const deliverOne = async (name: ReceivableQueue): Promise<number> => {
    const messages = queue.receive(name, 1, VISIBILITY_MS);
    return messages.length === 0 ? 0 : deliver(queue, deliveries[name], messages);
  };

  const keepHouse = async (): Promise<void> => {
    for (;;) {
      const next = queue.next(HOUSEKEEPING);
      if (next === null || next.visibleAt > clock.now()) break;
      await deliverOne(next.queue);
    }
    await feedChanges(database.changes, events, clock.now);
  };

  /** The oldest; where none is due, the clock jumps to the first that will be. */
  const deliverVisit = async (): Promise<boolean> => {
    for (;;) {
      await keepHouse();
      const next = queue.next([...HOUSEKEEPING, ...VISITS]);
      if (next === null) return false;
      const early = next.visibleAt - clock.now();
      if (early > 0) {
        clock.advance(early);
        database.purgeExpired(clock.now());
      } else if ((await deliverOne(next.queue)) > 0) return true;
    }
  };

  const step = async (visits: number): Promise<Stepped> => {
    let delivered = 0;
    while (delivered < visits && (await deliverVisit())) delivered += 1;
    await keepHouse();
    return { delivered, pending: pendingVisits(database) };
  };

  return {
    step,
    drain: () => step(Number.POSITIVE_INFINITY),
    reset: () => {
      database.clear();
      objects.clear();
      faults.clearFaults();
    },
  };
};

const deliveriesTo = (ports: Ports): Readonly<Record<ReceivableQueue, Delivery>> => {
  const check = checkHandler(ports);
  return {
    prepare: { queue: "prepare", handler: prepareHandler(ports), limitMs: VISIT_MS_MAX },
    "dead-letter": {
      queue: "dead-letter",
      handler: deadLetterHandler(ports),
      limitMs: VISIT_MS_MAX,
    },
    check: { queue: "check", handler: check, limitMs: VISIT_LIMIT_MS },
    poll: { queue: "poll", handler: check, limitMs: VISIT_LIMIT_MS },
  };
};

const pendingVisits = ({ queue }: HostPorts["database"]): number =>
  queue.messages().filter((message) => VISITS.some((name) => name === message.queue)).length;

/**
 * A former process that did not step may have died in the middle of a continuation that no message stands
 * for. What a message stands for is not sent again: it would be a visit too many.
 */
export const sendWhatWasLost = async (host: HostPorts): Promise<void> => {
  await sweepAndRecord(sendingWhatWasLost(host), 0);
};
