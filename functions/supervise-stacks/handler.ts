/**
 * Starts and ends the supervisor's executions, from the stream of the stacks' table. The change
 * that accepts an operation also starts its watch, so a crash between the two cannot lose it.
 */
import middy from "@middy/core";
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import { type Meter, noMeter } from "#functions/meter.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { Starter } from "./supervisor.ts";
import { watchChange } from "./watch-change.ts";

export const handler = (supervisor: Starter, clock: Clock, meter: Meter = noMeter) =>
  middy(async (stream: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    for (const record of stream.Records) {
      const itemIdentifier = record.dynamodb?.SequenceNumber ?? "";
      try {
        const change = watchChange(record, clock.now());
        if (change?.end) {
          const token = await supervisor.getToken(change.end.traversalId);
          if (token !== null) await supervisor.end(token, change.end.outcome);
          logger.info("a stack operation ended", { ...change.end });
          meter.add("TraversalSeconds", change.end.seconds, change.end.outcome);
        }
        if (change?.start) await supervisor.start(change.start);
      } catch (error) {
        logger.error("a stack's watch was not kept", error, { sequence: itemIdentifier });
        return { batchItemFailures: [{ itemIdentifier }] };
      }
    }
    return { batchItemFailures: [] };
  });
