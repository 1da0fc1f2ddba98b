/** The minute's tick: what the schedule is in the cloud, and what expiry of items is. */
import type { Context, ScheduledEvent } from "aws-lambda";
import type { Upkeep } from "#lib/adapters/sqlite/upkeep.ts";
import { lambdaContext, scheduledEvent } from "./lambda-events.ts";

export type ScheduleHandler = (event: ScheduledEvent, context: Context) => Promise<void>;

export const SWEEP_MS_DEFAULT = 60_000;

export interface Sweeper {
  stop(): Promise<void>;
}

/** A tick that is still at work when the next one is due lets that one pass. */
export const startSweeper = (
  upkeep: Pick<Upkeep, "purgeExpired">,
  handler: ScheduleHandler,
  everyMs: number,
): Sweeper => {
  let round: Promise<void> | null = null;
  const tick = async (): Promise<void> => {
    const now = Date.now();
    await handler(scheduledEvent(now), lambdaContext("sweep", everyMs));
    upkeep.purgeExpired(now);
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
