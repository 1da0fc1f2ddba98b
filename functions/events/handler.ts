/**
 * Writes events from the change feed, one batch a stack. The feed resumes at the first change that
 * failed, so all before it are written.
 */
import middy from "@middy/core";
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import type { StackEvent } from "#lib/model/event.ts";
import { type EventPorts, eventsOf } from "./change-record.ts";

const sequenceOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? "";

export const handler = (ports: EventPorts) =>
  middy(async (stream: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const events: StackEvent[] = [];
    // If a write fails, the whole batch is delivered again. Its events keep their ids.
    let failedAt = sequenceOf(stream.Records[0] ?? {});
    try {
      const failed = stream.Records.find((record) => !collect(ports, record, events));
      for (const [stackId, written] of Map.groupBy(events, (event) => event.stackId)) {
        await ports.store.putEvents(stackId, written);
      }
      if (failed === undefined) return { batchItemFailures: [] };
      failedAt = sequenceOf(failed);
    } catch (error) {
      logger.error("events were not written", error, { events: events.length });
    }
    return { batchItemFailures: [{ itemIdentifier: failedAt }] };
  });

const collect = (ports: EventPorts, record: DynamoDBRecord, events: StackEvent[]): boolean => {
  try {
    events.push(...eventsOf(ports, record));
    return true;
  } catch (error) {
    logger.error("a change made no event", error, { sequence: sequenceOf(record) });
    return false;
  }
};
