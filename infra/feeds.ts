/** What feeds a function: a queue or a table's stream. A failed record never fails its batch. */
import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq, SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { type BatchSize, STREAM_BATCH } from "./batches.ts";
import type { SourceBound } from "./concurrency.ts";
import type { HearthFunction } from "./hearth-function.ts";

export const feedFromQueue = (
  fed: HearthFunction,
  queue: Queue,
  { max, windowSeconds }: BatchSize,
  bound: SourceBound,
): void => {
  fed.allow(
    ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
    [queue.queueArn],
  );
  fed.live.addEventSource(
    new SqsEventSource(queue, {
      batchSize: max,
      ...(windowSeconds > 0 && { maxBatchingWindow: Duration.seconds(windowSeconds) }),
      reportBatchItemFailures: true,
      ...bound,
    }),
  );
};

/**
 * A record that always fails is set aside after these, so that those behind it go on. The functions
 * pause before they report a failure (functions/stream-batch.ts), so an outage of eight hours does
 * not use them up. A record that cannot be read has no such pause.
 * @limit tries of a stream's record after the first
 * @beyond the batch is halved until the record is alone. Then it is set aside, and
 * `StreamRecordsFailed` goes off
 */
export const STREAM_RETRIES_MAX = 1_000;
/**
 * Records older than this are set aside without a try. It is twice the time that one failing record
 * takes, so that those behind it do not share its fate. The stream keeps a record for 24 hours, so
 * a person has eight to play it again with `hearth aws replay`.
 * @limit age of a stream's record
 * @beyond it is set aside without a try
 */
const STREAM_AGE_MAX = Duration.hours(16);

/**
 * Only records that match one of `patterns` are paid for; without any, all. `failures` takes those
 * that make no progress.
 */
export const feedFromStream = (
  fed: HearthFunction,
  table: Table,
  failures: Queue,
  patterns: readonly object[] = [],
): void => {
  const { tableStreamArn } = table;
  if (tableStreamArn === undefined) throw new Error(`${table.node.path} has no stream`);
  fed.allow(
    ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
    [tableStreamArn],
  );
  fed.allow(["sqs:SendMessage"], [failures.queueArn]);
  fed.allow(["dynamodb:ListStreams"], ["*"]);
  fed.acknowledge(
    "AwsSolutions-IAM5[Resource::*]",
    "dynamodb:ListStreams accepts no narrower resource; it returns only names.",
  );
  fed.live.addEventSourceMapping(`${table.node.id}Stream`, {
    eventSourceArn: tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: STREAM_BATCH.max,
    maxBatchingWindow: Duration.seconds(STREAM_BATCH.windowSeconds),
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: STREAM_RETRIES_MAX,
    maxRecordAge: STREAM_AGE_MAX,
    onFailure: new SqsDlq(failures),
    ...(patterns.length > 0 && {
      filters: patterns.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
    }),
  });
};
