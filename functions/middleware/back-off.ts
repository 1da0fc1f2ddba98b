/**
 * Shortens the time until a failed message is delivered again. By default it would stay invisible
 * for the queue's whole visibility timeout, which is long because it must outlast a visit.
 */
import { ChangeMessageVisibilityBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { MiddlewareObj } from "@middy/core";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { logger } from "#functions/logger.ts";

const BACKOFF_SECONDS_MIN = 1;
const BACKOFF_SECONDS_MAX = 60;
const DOUBLINGS_MAX = 16;

export const backoffSeconds = (receiveCount: number): number =>
  Math.min(
    BACKOFF_SECONDS_MIN * 2 ** Math.min(Math.max(receiveCount - 1, 0), DOUBLINGS_MAX),
    BACKOFF_SECONDS_MAX,
  );

/**
 * `queueUrls` are the queues that may feed the function. A record of any other queue keeps its
 * visibility timeout.
 */
export const backOff = (
  sqs: SQSClient,
  queueUrls: readonly string[],
): MiddlewareObj<SQSEvent, SQSBatchResponse> => ({
  after: async ({ event, response }) => {
    const failures = response?.batchItemFailures ?? [];
    const failed = new Set(failures.map(({ itemIdentifier }) => itemIdentifier));
    const records = event.Records.filter(({ messageId }) => failed.has(messageId));
    const url = queueUrls.find((candidate) => nameOf(candidate, "/") === sourceOf(records));
    if (url !== undefined) await makeVisible(sqs, url, records);
  },
});

const nameOf = (text: string, separator: string): string =>
  text.slice(text.lastIndexOf(separator) + 1);

const sourceOf = ([record]: readonly SQSRecord[]): string | undefined =>
  record && nameOf(record.eventSourceARN, ":");

/** A failure here costs only time: the message returns after its visibility timeout. */
const makeVisible = async (
  sqs: SQSClient,
  QueueUrl: string,
  records: readonly SQSRecord[],
): Promise<void> => {
  const Entries = records.map(({ messageId, receiptHandle, attributes }) => ({
    Id: messageId,
    ReceiptHandle: receiptHandle,
    VisibilityTimeout: backoffSeconds(Number(attributes.ApproximateReceiveCount)),
  }));
  try {
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
  } catch (error) {
    logger.error("failed messages keep their visibility timeout", error, {
      messages: records.length,
    });
  }
};
