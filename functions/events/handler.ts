/**
 * Writes events from the change feed. The feed resumes at the first change that failed, so all
 * changes before it are written. Then the handler deletes the large values of removed items.
 */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { type Pacing, pacing, processTogether, readInOrder } from "#functions/stream-batch.ts";
import { writeEvents } from "#lib/engine/events/write-events.ts";
import type { StackEvent } from "#lib/model/event.ts";
import { NO_SPILLED_VALUES, type SpilledValues } from "#lib/ports/store.ts";
import { dropSpilled, type EventPorts, eventsOf } from "./change-feed.ts";

export const handler =
  (
    ports: EventPorts,
    spilled: SpilledValues = NO_SPILLED_VALUES,
    pace: Pacing = pacing(ports.clock),
  ) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const events: StackEvent[] = [];
    const collected = readInOrder(Records, "a change made no event", (record) => {
      events.push(...eventsOf(ports, record));
    });
    // If a write fails, the whole batch is delivered again. Its events keep their ids.
    const written = await processTogether(Records, "events were not written", pace, async () => {
      await writeEvents(ports, events);
    });
    if (written.batchItemFailures.length > 0) return written;
    const dropped = await processTogether(Records, "large values were not deleted", pace, () =>
      dropSpilled(spilled, Records),
    );
    return dropped.batchItemFailures.length > 0 ? dropped : collected;
  };
