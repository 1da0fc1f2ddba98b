/** A failed record must not fail its batch: SQS learns which ones to deliver again. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { idsOf, parseMessage } from "#lib/convergence/messages.ts";
import { RetryLater } from "#lib/errors.ts";
import { type Message, RECEIVES_MAX } from "#lib/ports/queue.ts";
import { type LogFields, logger } from "./logger.ts";
import type { Meter, MetricName } from "./meter.ts";

export interface Batch {
  /** The metric that counts the records, each with its outcome. */
  readonly metric: MetricName;
  readonly meter: Meter;
  /**
   * Returns an outcome. A record for which it throws is delivered again, and is then a repeated
   * one.
   */
  readonly work: (message: Message, isRepeated: boolean) => Promise<string>;
  /**
   * After the last delivery of a busy message, sends it as a new one. If absent, the queue makes it
   * a dead letter.
   */
  readonly sendAnew?: (message: Message) => Promise<void>;
}

/** These outcomes mean that nothing waits for the message any more. */
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
  { metric, meter, work, sendAnew }: Batch,
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
    try {
      logger.info("handled a message", count(await work(message, receives > 1)));
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
      logger.info("a message is retried", count("retried"));
      if (receives < RECEIVES_MAX || sendAnew === undefined) return false;
      // P12: a busy service is not the message's fault. Its stack's deadline ends it.
      await sendAnew(message);
    }
    return true;
  } catch (error) {
    logger.error("a message failed", error, count("error"));
    return false;
  }
};
