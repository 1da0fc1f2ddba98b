/**
 * Step mode: the host with nothing that runs by itself. Visits (messages of the queues `check` and
 * `poll`) are delivered one at a time and on request. Everything else is housekeeping, done before
 * and after each visit. No message is lost here, so there is no sweeper.
 */
import type { ReceivableQueue } from "#lib/adapters/sqlite/queue.ts";
import { INLINE_REMAINING_MS_MIN, VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import { feedChanges } from "./change-feed.ts";
import { deliver, queueHandlers } from "./deliver.ts";
import type { HostPorts, StepPorts } from "./host-ports.ts";
import { sweepPorts } from "./sweeper.ts";

const HOUSEKEEPING: readonly ReceivableQueue[] = ["prepare", "dead-letter"];
const VISITS: readonly ReceivableQueue[] = ["check", "poll"];
/** The clock stands still during a delivery, so any positive value would do. */
const VISIBILITY_MS = 360_000;
/**
 * With only this much time left, a visit leaves its successors to the queue instead of visiting
 * them inline.
 */
const VISIT_LIMIT_MS = INLINE_REMAINING_MS_MIN;

export interface Stepped {
  /** Visits that were handled to their end. A failed delivery that comes again does not count. */
  readonly delivered: number;
  /** Queued visits, including delayed ones. */
  readonly pending: number;
}

/** `failed`: it comes again after a while. */
type Delivered = "handled" | "failed" | "died";

export interface StepMode {
  /** Delivers `visits` visits, or fewer if there are no more. The death of a worker ends it. */
  step(visits: number): Promise<Stepped>;
  /** Delivers until nothing is left. It ends, because every operation ends at its deadline. */
  drain(): Promise<Stepped>;
  /** Deletes stacks, rows, objects of the fake provider, messages and faults. */
  reset(): void;
}

export const stepMode = (host: StepPorts): StepMode => {
  const { database, clock, faults, objects } = host;
  const { queue } = database;
  const handlers = queueHandlers(host.ports);

  /** A worker that dies leaves its message behind, which is visible again after its time. */
  const deliverOne = async (name: ReceivableQueue): Promise<Delivered> => {
    const messages = queue.receive(name, 1, VISIBILITY_MS);
    const limitMs = VISITS.includes(name) ? VISIT_LIMIT_MS : VISIT_MS_MAX;
    const delivery = { queue: name, handler: handlers[name], limitMs };
    if (messages.length === 0) return "failed";
    const death = faults.death()?.then((): Delivered => "died");
    const delivered = deliver(queue, delivery, messages).then(
      (count): Delivered => (count > 0 ? "handled" : "failed"),
    );
    return death === undefined ? delivered : Promise.race([delivered, death]);
  };

  const doHousekeeping = async (): Promise<void> => {
    for (;;) {
      const next = queue.next(HOUSEKEEPING);
      if (next === null || next.visibleAt > clock.now()) break;
      await deliverOne(next.queue);
    }
    await feedChanges(database.changes, host.ports, host.streams.announce);
  };

  /**
   * Delivers the oldest visit. If none is due, the clock jumps to the next one. Null: there is no
   * visit.
   */
  const deliverVisit = async (): Promise<Delivered | null> => {
    for (;;) {
      await doHousekeeping();
      const next = queue.next([...HOUSEKEEPING, ...VISITS]);
      if (next === null) return null;
      const early = next.visibleAt - clock.now();
      if (early > 0) {
        clock.advance(early);
        database.purgeExpired(clock.now());
        continue;
      }
      const delivered = await deliverOne(next.queue);
      if (delivered !== "failed") return delivered;
    }
  };

  const step = async (visits: number): Promise<Stepped> => {
    let delivered = 0;
    while (delivered < visits) {
      const one = await deliverVisit();
      if (one === "handled") delivered += 1;
      // One who steps wants to see what a death leaves behind.
      else if (one === null || Number.isFinite(visits)) break;
    }
    await doHousekeeping();
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

const pendingVisits = ({ queue }: HostPorts["database"]): number =>
  queue.messages().filter((message) => VISITS.some((name) => name === message.queue)).length;

/**
 * A former process without step mode may have died in an inline continuation, for which there is no
 * message. A visit that still has its message is not sent again, because then it would count twice.
 */
export const sweepLostMessages = async (host: HostPorts): Promise<void> => {
  await sweepAndRecord(sweepPorts(host), { overdueMsMin: 0, dropsHeld: true });
};
