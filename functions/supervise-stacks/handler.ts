/**
 * Starts and ends the supervisor's executions, from the stream of the stacks' table. The change
 * that accepts an operation also starts its watch, so a crash between the two cannot lose the
 * watch.
 */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { type Meter, noMeter } from "#functions/meter.ts";
import { type Pacing, pacing, processByItem } from "#functions/stream-batch.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { keepWatch, type Starter, watchChange } from "./supervisor.ts";

export const handler =
  (supervisor: Starter, clock: Clock, meter: Meter = noMeter, pace: Pacing = pacing(clock)) =>
  ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> =>
    processByItem(Records, "a stack's watch was not kept", pace, (record) =>
      keepWatch(supervisor, meter, watchChange(record, clock.now())),
    );
