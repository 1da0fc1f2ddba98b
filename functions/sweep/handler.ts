/** Runs every minute and repairs the loss of any message. */
import middy from "@middy/core";
import type { Context, ScheduledEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import { type Meter, noMeter } from "#functions/meter.ts";
import type { SweepOptions } from "#lib/convergence/sweep/sweep.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (
  ports: Ports,
  meter: Meter = noMeter,
  options: Pick<SweepOptions, "dropsHeld"> = {},
) =>
  middy(async (_event: ScheduledEvent, context: Context): Promise<void> => {
    const remainingMs = (): number => context.getRemainingTimeInMillis();
    const { stacks, sent } = await sweepAndRecord(ports, { remainingMs, ...options });
    if (stacks > 0) logger.info("swept", { stacks, sent });
    if (sent > 0) meter.add("SweptMessages", sent);
  });
