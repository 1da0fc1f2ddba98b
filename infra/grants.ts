import { CfnElement, Stack } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { UPLOADS_PREFIX } from "#lib/adapters/aws/tables.ts";
import type { QueueName } from "#lib/ports/queue.ts";
import type { Data } from "./data.ts";
import type { HearthFunction } from "./hearth-function.ts";
import type { Queues } from "./queues.ts";
import type { Settings } from "./settings.ts";
import type { Supervisor } from "./supervisor.ts";

export class Grants {
  readonly #data: Data;
  readonly #queues: Queues;
  readonly #supervisor: Supervisor;
  readonly #emulator: boolean;
  readonly #plugInSecrets: readonly string[];
  readonly #roleArns: readonly string[];

  constructor(data: Data, queues: Queues, supervisor: Supervisor, settings: Settings) {
    this.#data = data;
    this.#queues = queues;
    this.#supervisor = supervisor;
    this.#emulator = settings.emulator;
    this.#roleArns = [...new Set(Object.values(settings.awsRoles).map(({ role_arn }) => role_arn))];
    this.#plugInSecrets = Object.values(settings.plugIns).map(({ secret }) => secret);
  }

  table(caller: HearthFunction, table: Table, actions: readonly string[]): void {
    caller.allow(actions, [table.tableArn]);
  }

  blobs(caller: HearthFunction, actions: readonly string[]): void {
    caller.allow(actions, [this.#data.blobs.arnForObjects("*")]);
    // Without this right S3 answers 403 instead of 404 for a missing object.
    caller.allow(["s3:ListBucket"], [this.#data.blobs.bucketArn]);
    caller.acknowledge(
      `AwsSolutions-IAM5[Resource::<${logicalIdOf(this.#data.blobs)}.Arn>/*]`,
      "The keys are made of hashes and ids, so a function may need any object.",
    );
  }

  uploads(caller: HearthFunction, actions: readonly string[]): void {
    caller.allow(actions, [this.#data.blobs.arnForObjects(`${UPLOADS_PREFIX}*`)]);
    caller.acknowledge(
      `AwsSolutions-IAM5[Resource::<${logicalIdOf(this.#data.blobs)}.Arn>/${UPLOADS_PREFIX}*]`,
      "An upload has the id of a derived config.",
    );
  }

  send(caller: HearthFunction, queues: readonly QueueName[]): void {
    caller.allow(
      this.#withBatch("sqs:SendMessage"),
      queues.map((name) => this.#queues.work[name].queueArn),
    );
  }

  redeliver(caller: HearthFunction, queues: readonly QueueName[]): void {
    caller.allow(
      this.#withBatch("sqs:ChangeMessageVisibility"),
      queues.map((name) => this.#queues.work[name].queueArn),
    );
  }

  /** AWS checks that the token belongs to this state machine. An emulator cannot. */
  endWatches(caller: HearthFunction): void {
    const machine = this.#emulator ? "*" : this.#supervisor.stateMachineArn;
    caller.allowApart("EndWatches", ["states:SendTaskSuccess"], [machine]);
    if (!this.#emulator) return;
    caller.acknowledge(
      "AwsSolutions-IAM5[Resource::*]",
      "An emulator does not know a token's state machine.",
    );
  }

  /** On AWS the right to send one message covers batches, and there is no separate action. */
  #withBatch(action: string): readonly string[] {
    return this.#emulator ? [action, `${action}Batch`] : [action];
  }

  count(caller: HearthFunction): void {
    const { work, deadLetters, givenUp, streamFailures } = this.#queues;
    const queues = [...Object.values(work), ...Object.values(deadLetters), givenUp, streamFailures];
    caller.allow(
      ["sqs:GetQueueAttributes"],
      queues.map(({ queueArn }) => queueArn),
    );
  }

  countWork(caller: HearthFunction): void {
    caller.allow(
      ["sqs:GetQueueAttributes"],
      Object.values(this.#queues.work).map(({ queueArn }) => queueArn),
    );
  }

  assumeRoles(caller: HearthFunction): void {
    if (this.#roleArns.length > 0) caller.allow(["sts:AssumeRole"], this.#roleArns);
  }

  keys(caller: HearthFunction): void {
    const { signing, encryption } = this.#data.secretArns;
    const secrets = [signing, encryption, ...this.#plugInSecrets];
    caller.allow(["secretsmanager:GetSecretValue"], secrets);
  }
}

const logicalIdOf = (bucket: Bucket): string => {
  const { defaultChild } = bucket.node;
  return CfnElement.isCfnElement(defaultChild) ? Stack.of(bucket).getLogicalId(defaultChild) : "";
};
