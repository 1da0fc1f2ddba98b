/** Sweeps each minute, as the schedule does on AWS, and deletes expired records. */
import type { Context, ScheduledEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import type { SqliteQueue } from "#lib/adapters/sqlite/queue.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Clock, Ports } from "#lib/ports/ports.ts";
import type { Message } from "#lib/ports/queue.ts";
import type { HostPorts } from "./host-ports.ts";
import { lambdaContext, scheduledEvent } from "./lambda-events.ts";

export type ScheduleHandler = (event: ScheduledEvent, context: Context) => Promise<void>;

export const SWEEP_MS_DEFAULT = 60_000;

/**
 * The ports for one round of the sweeper. On AWS the sweeper can only count the messages of a
 * queue. Here it can look them up, so a message that is still queued is not sent again. Otherwise
 * thousands of waiting visits would each get a second message every minute.
 */
export const sweepPorts = ({ ports, database }: HostPorts): Ports => {
  const startedAt = ports.clock.now();
  /**
   * The queued messages. They are read once, and only if the round sends, because reading them is
   * slow.
   */
  let held: ReturnType<typeof database.queue.held> | null = null;
  /**
   * A round reads the rows of a large stack long before it sends. If a visit has ended meanwhile,
   * its row has changed. A row with a time in the future was written before the clock was set back,
   * so it does not count as changed.
   */
  const hasMoved = async (message: Message): Promise<boolean> => {
    if (message.type !== "check_resource") return false;
    const { stackId, resourceId: id } = message;
    const row = await ports.store.getResource({ stackId, id });
    const at = row?.updatedAt ?? startedAt;
    return startedAt < at && at <= ports.clock.now();
  };
  const send: Ports["queue"]["send"] = async (name, messages, delayMs) => {
    held ??= database.queue.held();
    const isHeld = held;
    const lost: Message[] = [];
    for (const message of messages) {
      if (!isHeld(message) && !(await hasMoved(message))) lost.push(message);
    }
    await ports.queue.send(name, lost, delayMs);
  };
  return { ...ports, queue: { ...ports.queue, send } };
};

export interface Sweeper {
  stop(): Promise<void>;
}

/**
 * If more visits wait, work clearly goes on. Reading every row of every stack would slow it down.
 */
const WAITING_VISITS_MAX = 1_000;
/** How many ticks in a row may be skipped. The sweeper also ends stacks at their deadline. */
const SKIPPED_TICKS_MAX = 4;

const ROUND_MS_MAX = 300_000;

interface SweptHost extends Pick<HostPorts, "tidy"> {
  readonly ports: { readonly clock: Clock };
  readonly database: { readonly queue: Pick<SqliteQueue, "depths"> };
}

export const startSweeper = (
  host: SweptHost,
  handler: ScheduleHandler,
  everyMs: number,
): Sweeper => {
  let round: Promise<void> | null = null;
  let skipped = 0;
  const tick = async (): Promise<void> => {
    const now = host.ports.clock.now();
    const depths = await host.database.queue.depths();
    const isBusy = depths.some(({ waiting }) => waiting > WAITING_VISITS_MAX);
    skipped = isBusy && skipped < SKIPPED_TICKS_MAX ? skipped + 1 : 0;
    if (skipped > 0) return;
    try {
      await handler(scheduledEvent(now), lambdaContext("sweep", ROUND_MS_MAX));
    } finally {
      host.tidy(now);
    }
  };
  const timer = setInterval(() => {
    round ??= tick()
      // The next tick tries again. The storage watch logs storage faults.
      .catch((error: unknown) => {
        if (!(error instanceof RetryLater)) logger.error("a sweep failed", error);
      })
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

/**
 * A former process without step mode may have died in an inline continuation, which has no message.
 * A visit that still has its message is not sent again, because it would count twice.
 */
export const sweepLostMessages = async (host: HostPorts): Promise<void> => {
  await sweepAndRecord(sweepPorts(host), { overdueMsMin: 0, dropsHeld: true });
};
