/** The minute's tick: what the schedule is in the cloud, and what expiry of items is. */
import type { Context, ScheduledEvent } from "aws-lambda";
import type { SqliteQueue } from "#lib/adapters/sqlite/queue.ts";
import type { Upkeep } from "#lib/adapters/sqlite/upkeep.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { HostPorts } from "./host-ports.ts";
import { lambdaContext, scheduledEvent } from "./lambda-events.ts";

export type ScheduleHandler = (event: ScheduledEvent, context: Context) => Promise<void>;

export const SWEEP_MS_DEFAULT = 60_000;

/**
 * The sweeper cannot see the queues, and in the cloud nobody can. Here the queue is a table: what stands
 * in it is not lost, and is not sent a second time, or a stack with thousands of visits waiting for
 * their turn would get each of them again every minute.
 */
export const sendingWhatWasLost = ({ ports, database }: HostPorts): Ports => {
  const send: Ports["queue"]["send"] = (name, messages, delayMs) => {
    // A sweep sends rarely: what is held is read only then, and once for the batches sent side by side.
    held ??= database.queue.held();
    const isHeld = held;
    setImmediate(() => {
      held = null;
    });
    const lost = messages.filter((message) => !isHeld(message));
    return ports.queue.send(name, lost, delayMs);
  };
  let held: ReturnType<typeof database.queue.held> | null = null;
  return { ...ports, queue: { ...ports.queue, send } };
};

export interface Sweeper {
  stop(): Promise<void>;
}

/** While so many visits wait nothing stands still, and looking at every row of every stack would only slow them down. */
const WAITING_VISITS_MAX = 1_000;
/** So often a tick may pass for that reason: deadlines of stacks are the sweeper's work too. */
const PASSED_TICKS_MAX = 4;

interface SweptHost extends Pick<Upkeep, "purgeExpired"> {
  readonly queue: Pick<SqliteQueue, "depths">;
}

/** A tick that is still at work when the next one is due lets that one pass. */
export const startSweeper = (
  host: SweptHost,
  handler: ScheduleHandler,
  everyMs: number,
): Sweeper => {
  let round: Promise<void> | null = null;
  let passed = 0;
  const tick = async (): Promise<void> => {
    const now = Date.now();
    const depths = await host.queue.depths();
    const isBusy = depths.some(({ waiting }) => waiting > WAITING_VISITS_MAX);
    passed = isBusy && passed < PASSED_TICKS_MAX ? passed + 1 : 0;
    if (passed > 0) return;
    try {
      await handler(scheduledEvent(now), lambdaContext("sweep", everyMs));
    } finally {
      host.purgeExpired(now);
    }
  };
  const timer = setInterval(() => {
    round ??= tick()
      // The handler has logged why; the next tick tries again.
      .catch(() => undefined)
      .finally(() => {
        round = null;
      });
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await round;
    },
  };
};
