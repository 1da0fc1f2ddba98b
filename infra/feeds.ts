import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq, SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { type BatchSize, type SourceBound, STREAM_BATCH } from "./capacity.ts";
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
 * A record that always fails is set aside after this many tries, so that later records continue.
 * The functions pause before they report a failure (functions/stream-batch.ts), so an outage of
 * eight hours does not use up the tries. A record that cannot be parsed has no such pause.
 * @limit tries of a stream's record after the first
 * @beyond the batch is halved until the record is alone. Then it is set aside, and
 * `StreamRecordsFailed` goes off
 */
export const STREAM_RETRIES_MAX = 1_000;
/**
 * Older records are set aside without a try. The limit is twice the time that one failing record
 * takes, so that the records behind it are not lost too. The stream keeps a record for 24 hours, so
 * an operator has eight hours to replay it with `hearth aws replay`.
 * @limit age of a stream's record
 * @beyond it is set aside without a try
 */
const STREAM_AGE_MAX = Duration.hours(16);

/**
 * Only records that match one of `patterns` are passed on and paid for; without patterns, all are.
 * Records that make no progress are sent to `failures`.
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
