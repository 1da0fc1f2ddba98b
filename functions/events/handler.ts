/** Writes events from the change feed. In order, and it stops at the first failure: the feed comes again from there. */
import middy from "@middy/core";
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { eventOf } from "./change-record.ts";

export const handler = (ports: Ports) =>
  middy(async (stream: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    for (const record of stream.Records) {
      const itemIdentifier = record.dynamodb?.SequenceNumber ?? "";
      try {
        const event = eventOf(ports, record);
        if (event) await ports.store.putEvent(event);
      } catch (error) {
        logger.error("a change made no event", error, { sequence: itemIdentifier });
        return { batchItemFailures: [{ itemIdentifier }] };
      }
    }
    return { batchItemFailures: [] };
  });
