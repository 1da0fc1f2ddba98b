/** One record that fails must not fail its batch: SQS is told which ones to deliver again. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { parseMessage } from "#lib/convergence/messages.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Message } from "#lib/ports/queue.ts";
import { logger } from "./logger.ts";

/** `work` answers an outcome for the log; a record for which it throws is delivered again. */
export const processBatch = async (
  event: SQSEvent,
  work: (message: Message) => Promise<string>,
): Promise<SQSBatchResponse> => {
  const results = await Promise.all(event.Records.map((record) => processRecord(record, work)));
  return {
    batchItemFailures: event.Records.filter((_, index) => !results[index]).map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  };
};

const processRecord = async (
  record: SQSRecord,
  work: (message: Message) => Promise<string>,
): Promise<boolean> => {
  const { messageId } = record;
  try {
    const message = parseMessage(record.body);
    const outcome = await work(message);
    logger.info("handled a message", { messageId, ...message, outcome });
    return true;
  } catch (error) {
    if (error instanceof RetryLater) logger.info("a message goes back", { messageId });
    else logger.error("a message failed", error, { messageId });
    return false;
  }
};
