/** Visits: the check queue and the poll queue, whose messages are the same. */
import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { processBatch } from "#functions/sqs-batch.ts";
import { checkResource } from "#lib/convergence/converger.ts";
import { Bug } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports) =>
  middy(
    (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
      processBatch(event, async (message) => {
        if (message.type !== "check_resource") throw new Bug(`${message.type} on this queue`);
        return checkResource(ports, message, {
          remainingMs: () => context.getRemainingTimeInMillis(),
        });
      }),
  );
