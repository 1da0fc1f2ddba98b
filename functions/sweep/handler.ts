/** Every minute: with it the loss of every message is repaired. */
import middy from "@middy/core";
import type { ScheduledEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import { sweep } from "#lib/convergence/sweep.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports) =>
  middy(async (_event: ScheduledEvent): Promise<void> => {
    const { stacks, sent } = await sweep(ports);
    if (stacks > 0) logger.info("swept", { stacks, sent });
  });
