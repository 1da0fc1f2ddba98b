import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { type Meter, noMeter } from "#functions/meter.ts";
import { processBatch } from "#functions/sqs-batch.ts";
import { preparation } from "#lib/engine/message-work.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports, meter: Meter = noMeter) =>
  middy((event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const budget = { remainingMs: () => context.getRemainingTimeInMillis() };
    return processBatch(event, { metric: "Preparations", meter, ...preparation(ports, budget) });
  });
