/** A stream is read in order. The first record that fails comes again, with all after it. */
import type { DynamoDBBatchResponse, DynamoDBRecord } from "aws-lambda";
import { logger } from "./logger.ts";

const ALL_DONE: DynamoDBBatchResponse = { batchItemFailures: [] };

const sequenceOf = (record: DynamoDBRecord | undefined): string =>
  record?.dynamodb?.SequenceNumber ?? "";

const againFrom = (record: DynamoDBRecord | undefined): DynamoDBBatchResponse => ({
  batchItemFailures: [{ itemIdentifier: sequenceOf(record) }],
});

/** Calls `work` for one record after the other. The first for which it throws comes again. */
export const processInOrder = async (
  records: readonly DynamoDBRecord[],
  failure: string,
  work: (record: DynamoDBRecord) => Promise<void> | void,
): Promise<DynamoDBBatchResponse> => {
  for (const record of records) {
    try {
      await work(record);
    } catch (error) {
      logger.error(failure, error, { sequence: sequenceOf(record) });
      return againFrom(record);
    }
  }
  return ALL_DONE;
};

/** Calls `work` once for all records. If it throws, all of them come again. */
export const processTogether = async (
  records: readonly DynamoDBRecord[],
  failure: string,
  work: () => Promise<void>,
): Promise<DynamoDBBatchResponse> => {
  try {
    await work();
    return ALL_DONE;
  } catch (error) {
    logger.error(failure, error, { records: records.length });
    return againFrom(records[0]);
  }
};
