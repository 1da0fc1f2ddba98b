/**
 * A table's stream is read in order. The first record that fails comes again, with all after it.
 * Lambda makes hardly a pause between tries, and after some of them it sets the record aside. So a
 * function pauses itself before it reports a failure, or a service that is down for two minutes
 * would use up all tries. infra/feeds.ts has their number.
 */
import { setTimeout as pauseFor } from "node:timers/promises";
import type { DynamoDBBatchResponse, DynamoDBRecord } from "aws-lambda";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { Clock } from "#lib/ports/clock.ts";
import { logger } from "./logger.ts";

/** Half of the functions' time limit. */
const PAUSE_MS_MAX = 30_000;
const SECOND_MS = 1_000;

export interface Pacing {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<unknown>;
}

export const pacing = (clock: Clock): Pacing => ({ clock, pause: pauseFor });

const ALL_DONE: DynamoDBBatchResponse = { batchItemFailures: [] };

const sequenceOf = (record: DynamoDBRecord | undefined): string =>
  record?.dynamodb?.SequenceNumber ?? "";

const againFrom = (record: DynamoDBRecord | undefined): DynamoDBBatchResponse => ({
  batchItemFailures: [{ itemIdentifier: sequenceOf(record) }],
});

/** The pause is as long as the record has waited already, so a short failure delays it little. */
const againLater = async (
  { clock, pause }: Pacing,
  record: DynamoDBRecord | undefined,
): Promise<DynamoDBBatchResponse> => {
  const seconds = record?.dynamodb?.ApproximateCreationDateTime;
  const waited = seconds === undefined ? 0 : clock.now() - seconds * SECOND_MS;
  await pause(Math.min(Math.max(waited, 0), PAUSE_MS_MAX));
  return againFrom(record);
};

/**
 * Reads one record after the other. The first for which `read` throws comes again. It will always
 * fail, so there is no pause before it is set aside.
 */
export const readInOrder = (
  records: readonly DynamoDBRecord[],
  failure: string,
  read: (record: DynamoDBRecord) => void,
): DynamoDBBatchResponse => {
  for (const record of records) {
    try {
      read(record);
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
  pace: Pacing,
  work: () => Promise<void>,
): Promise<DynamoDBBatchResponse> => {
  try {
    await work();
    return ALL_DONE;
  } catch (error) {
    logger.error(failure, error, { records: records.length });
    return againLater(pace, records[0]);
  }
};

/**
 * Calls `work` for the records of an item in their order, and for several items at once. What it
 * returns is called for the records before the first failure. The others come again.
 */
export const processByItem = async (
  records: readonly DynamoDBRecord[],
  failure: string,
  pace: Pacing,
  work: (record: DynamoDBRecord) => Promise<() => void>,
): Promise<DynamoDBBatchResponse> => {
  let failed = records.length;
  const afterwards: (() => void)[] = [];
  const numbered = records.map((record, at) => ({ record, at }));
  const byItem = Map.groupBy(numbered, ({ record }) => JSON.stringify(record.dynamodb?.Keys));
  const workOn = async (ofItem: typeof numbered): Promise<void> => {
    for (const { record, at } of ofItem) {
      if (at > failed) return;
      try {
        afterwards[at] = await work(record);
      } catch (error) {
        logger.error(failure, error, { sequence: sequenceOf(record) });
        failed = Math.min(failed, at);
        return;
      }
    }
  };
  await inParallel([...byItem.values()].map((ofItem) => () => workOn(ofItem)));
  for (const after of afterwards.slice(0, failed)) after?.();
  return failed === records.length ? ALL_DONE : againLater(pace, records[failed]);
};
