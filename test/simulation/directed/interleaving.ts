/** What else can happen at a moment of a run, while one worker is about to make a call. */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { LEASE_PASSED_MS } from "../world/drive.ts";
import type { Worker } from "../world/workers.ts";
import type { World } from "../world/world.ts";

export const INTERLEAVINGS = [
  /** Its message is delivered a second time. */
  "doubled",
  /** It stands still for longer than a lease. */
  "stalled",
  /** Its call takes effect, and its answer comes late. */
  "answered-late",
  /** Polls are delivered that are not due. */
  "polled",
  /** What waits for a signal gets one. */
  "signalled",
  /** The next request comes. Of two that race for the acceptance either may win, so not then. */
  "overtaken",
] as const;
export type Interleaving = (typeof INTERLEAVINGS)[number];

export interface Meanwhile {
  readonly world: World;
  /** The worker that is about to make a call, and the message that it handles. */
  readonly worker: Worker;
  readonly pending: PendingMessage | null;
  run(worker: Worker, pending?: PendingMessage): Promise<void>;
  drain(): Promise<void>;
  /** False: there is no next request, or it is refused. */
  overtake(): Promise<boolean>;
}

/** A worker does not stall inside a provider's call, as the protocol demands. */
const isCall = (name: string): boolean => /^(fakeProvider|blobs)\./.test(name);

/** False: it cannot happen at this moment. */
export const happens = async (what: Interleaving, moment: Meanwhile): Promise<boolean> => {
  const { world, worker, pending, run, drain } = moment;
  switch (what) {
    case "doubled":
      if (pending === null) return false;
      world.copy(pending);
      break;
    case "stalled":
      if (isCall(worker.points[0]?.name ?? "")) return false;
      world.clock.advance(LEASE_PASSED_MS);
      break;
    case "answered-late":
      await world.slowly(worker, 0);
      break;
    case "polled": {
      const polls = world.queue.pending.filter(({ queue }) => queue === "poll");
      if (polls.length === 0) return false;
      for (const poll of polls) await run(await world.deliver(poll, true), poll);
      break;
    }
    case "signalled": {
      const waiting = world.allRows.filter((row) => row.operation?.type === "Sim::Waiting");
      if (waiting.length === 0) return false;
      for (const row of waiting) await run(await world.signal(row, "COMPLETE"));
      break;
    }
    case "overtaken":
      return pending !== null && moment.overtake();
  }
  await drain();
  return true;
};
