/** Prepares traversals: one message each. */
import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { type Meter, noMeter } from "#functions/meter.ts";
import { processBatch } from "#functions/sqs-batch.ts";
import { SENT_ANEW_MS } from "#lib/convergence/limits.ts";
import { prepareTraversal } from "#lib/convergence/prepare.ts";
import { Bug } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports, meter: Meter = noMeter) =>
  middy(
    (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
      processBatch(event, {
        metric: "Preparations",
        meter,
        work: async (message) => {
          if (message.type !== "prepare_traversal") throw new Bug(`${message.type} on this queue`);
          return prepareTraversal(ports, message, {
            remainingMs: () => context.getRemainingTimeInMillis(),
          });
        },
        sendAnew: (message) => ports.queue.send("prepare", [message], SENT_ANEW_MS),
      }),
  );
