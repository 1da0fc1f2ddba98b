/**
 * Handles batches of a table's stream, which is read in order. A failed record is delivered again
 * with all after it. Lambda retries almost without a pause, and sets the record aside after some
 * tries. So a function pauses before it reports a failure. Otherwise a service that is down for two
 * minutes would use up all tries. infra/feeds.ts sets their number.
 */
import { setTimeout as pauseFor } from "node:timers/promises";
import type { AttributeValue, DynamoDBBatchResponse, DynamoDBRecord } from "aws-lambda";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { Bug } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { logger } from "./logger.ts";

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

/** The pause equals the time that the record has already waited, so a short failure adds little. */
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
 * Reads the records in order. A record for which `read` throws will always fail, so there is no
 * pause before it is retried and set aside.
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
 * Calls `work` for the records of one item in order, and for several items in parallel. Its results
 * are called for the records before the first failure. The other records are delivered again.
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

/**
 * Converts DynamoDB's attribute values to JSON. Only the kinds that our tables use are supported.
 */
export const fromAttributes = (attributes: Readonly<Record<string, AttributeValue>>): JsonObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, fromAttribute(value)]),
  );

const fromAttribute = (value: AttributeValue): Json => {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.B !== undefined) return value.B;
  if (value.M !== undefined) return fromAttributes(value.M);
  if (value.L !== undefined) return value.L.map(fromAttribute);
  throw new Bug(`an attribute value of kind ${Object.keys(value).join()} is not read here`);
};
