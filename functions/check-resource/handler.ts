/** Handles visits: the messages of the check queue and the poll queue have the same shape. */
import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { type Meter, noMeter } from "#functions/meter.ts";
import { processBatch } from "#functions/sqs-batch.ts";
import { checkResource } from "#lib/convergence/converger.ts";
import { SENT_ANEW_MS } from "#lib/convergence/limits.ts";
import type { Budget } from "#lib/convergence/visit.ts";
import { Bug } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports, meter: Meter = noMeter) =>
  middy((event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const budget: Budget = {
      remainingMs: () => context.getRemainingTimeInMillis(),
      visited: (_, outcome) => meter.add("NodesVisited", 1, outcome),
    };
    return processBatch(event, {
      metric: "Visits",
      meter,
      work: async (message, isRepeated) => {
        if (message.type !== "check_resource") throw new Bug(`${message.type} on this queue`);
        return checkResource(ports, message, { ...budget, isRepeated });
      },
      sendAnew: (message) => ports.queue.send("poll", [message], SENT_ANEW_MS),
    });
  });
