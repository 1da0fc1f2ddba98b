/**
 * Handles the messages of a batch one by one. A failed message does not fail its batch: SQS is told
 * which ones to deliver again.
 */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { idsOf, parseMessage } from "#lib/convergence/messages.ts";
import { handleMessage, type MessageWork, RETRIED } from "#lib/engine/message-work.ts";
import { type LogFields, logger } from "./logger.ts";
import type { Meter, MetricName } from "./meter.ts";

export interface Batch extends MessageWork {
  readonly metric: MetricName;
  readonly meter: Meter;
}

/** With these outcomes, nothing waited for the message any more. */
const STALE: ReadonlySet<string> = new Set(["stale", "overtaken"]);

export const processBatch = async (event: SQSEvent, batch: Batch): Promise<SQSBatchResponse> => {
  const results = await Promise.all(event.Records.map((record) => processRecord(record, batch)));
  return {
    batchItemFailures: event.Records.filter((_, index) => !results[index]).map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  };
};

const processRecord = async (
  { messageId, body, attributes }: SQSRecord,
  { metric, meter, ...work }: Batch,
): Promise<boolean> => {
  const receives = Number(attributes.ApproximateReceiveCount);
  let ids: LogFields = { messageId };
  const count = (outcome: string): LogFields => {
    meter.add(metric, 1, outcome);
    if (STALE.has(outcome)) meter.add("StaleMessages", 1);
    return { ...ids, outcome };
  };
  try {
    const message = parseMessage(body);
    ids = { messageId, ...idsOf(message) };
    const { outcome, isHandled } = await handleMessage(work, message, receives);
    const text = outcome === RETRIED ? "a message is retried" : "handled a message";
    logger.info(text, count(outcome));
    return isHandled;
  } catch (error) {
    logger.error("a message failed", error, count("error"));
    return false;
  }
};
