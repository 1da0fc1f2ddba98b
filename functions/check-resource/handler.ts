import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { type Meter, noMeter } from "#functions/meter.ts";
import { processBatch } from "#functions/sqs-batch.ts";
import type { Budget } from "#lib/convergence/visit.ts";
import { visitWork } from "#lib/engine/message-work.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports, meter: Meter = noMeter) =>
  middy((event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const budget: Budget = {
      remainingMs: () => context.getRemainingTimeInMillis(),
      visited: (_, outcome) => meter.add("NodesVisited", 1, outcome),
    };
    return processBatch(event, { metric: "Visits", meter, ...visitWork(ports, budget) });
  });
