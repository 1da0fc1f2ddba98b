/** What else can happen at a moment of a run, while one worker is about to make a call. */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { LEASE_PASSED_MS } from "../world/drive.ts";
import type { Worker } from "../world/workers.ts";
import type { World } from "../world/world.ts";

export const INTERLEAVINGS = [
  /** The worker's message is delivered a second time. */
  "doubled",
  /** The worker stands still for longer than a lease. */
  "stalled",
  /** The worker's call takes effect, and its answer comes late. */
  "answered-late",
  /** Polls are delivered before they are due. */
  "polled",
  /** Every operation that waits for a signal gets one. */
  "signalled",
  "overtaken",
] as const;
export type Interleaving = (typeof INTERLEAVINGS)[number];

export interface Meanwhile {
  readonly world: World;
  readonly worker: Worker;
  readonly pending: PendingMessage | null;
  run(worker: Worker, pending?: PendingMessage): Promise<void>;
  drain(): Promise<void>;
  overtake(): Promise<boolean>;
}

/** The protocol demands that a provider's call ends in time, so a worker does not stall in one. */
const isCall = (name: string): boolean => /^(fakeProvider|blobs)\./.test(name);

/** @returns false when the event cannot happen at this moment. */
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
