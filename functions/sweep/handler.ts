/** Runs every minute and repairs the loss of any message. */
import middy from "@middy/core";
import type { ScheduledEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import { type Meter, noMeter } from "#functions/meter.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports, meter: Meter = noMeter) =>
  middy(async (_event: ScheduledEvent): Promise<void> => {
    const { stacks, sent } = await sweepAndRecord(ports);
    if (stacks > 0) logger.info("swept", { stacks, sent });
    if (sent > 0) meter.add("SweptMessages", sent);
  });
