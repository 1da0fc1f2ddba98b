/** Handles messages that failed too often. Their work becomes FAILED, so that no stack hangs. */
import middy from "@middy/core";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { type Meter, noMeter } from "#functions/meter.ts";
import { processBatch } from "#functions/sqs-batch.ts";
import { deadLetterWork } from "#lib/engine/message-work.ts";
import type { Ports } from "#lib/ports/ports.ts";

export const handler = (ports: Ports, meter: Meter = noMeter) =>
  middy(
    (event: SQSEvent): Promise<SQSBatchResponse> =>
      processBatch(event, { metric: "DeadLetters", meter, ...deadLetterWork(ports) }),
  );
