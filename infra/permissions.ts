/**
 * What each function may do, by exact ARN: no more than its handler reaches. test/architecture holds
 * it against this list, so a right that is added is seen.
 */
import { CfnElement, Stack } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { FunctionName } from "#functions/aws/environment.ts";
import { UNSETTLED_INDEX } from "#lib/adapters/aws/tables.ts";
import type { QueueName } from "#lib/ports/queue.ts";
import type { Data } from "./data.ts";
import type { HearthFunction } from "./hearth-function.ts";
import type { Queues } from "./queues.ts";
import type { Settings } from "./settings.ts";
import type { Supervisor } from "./supervisor.ts";

const GET = "dynamodb:GetItem";
const QUERY = "dynamodb:Query";
const PUT = "dynamodb:PutItem";
const UPDATE = "dynamodb:UpdateItem";
const DELETE = "dynamodb:DeleteItem";
const BATCH_WRITE = "dynamodb:BatchWriteItem";

const READ_BLOB = "s3:GetObject";
const PUT_BLOB = "s3:PutObject";
const DELETE_BLOB = "s3:DeleteObject";

export class Permissions {
  readonly #data: Data;
  readonly #queues: Queues;
  readonly #supervisor: Supervisor;
  readonly #emulator: boolean;

  constructor(data: Data, queues: Queues, supervisor: Supervisor, { emulator }: Settings) {
    this.#emulator = emulator;
    this.#data = data;
    this.#queues = queues;
    this.#supervisor = supervisor;
  }

  give(functions: Readonly<Record<FunctionName, HearthFunction>>): void {
    this.#api(functions.api);
    this.#authorizer(functions.authorizer);
    this.#metadata(functions.metadata);
    this.#signal(functions.signal);
    this.#prepareTraversal(functions["prepare-traversal"]);
    this.#checkResource(functions["check-resource"]);
    this.#deadLetter(functions["dead-letter"]);
    this.#events(functions.events);
    this.#sweep(functions.sweep);
    this.#superviseStacks(functions["supervise-stacks"]);
    this.#awaitEnd(functions["await-end"]);
    this.#watcher(functions.deadline);
    this.#rotateSigningKey(functions["rotate-signing-key"]);
  }

  #api(api: HearthFunction): void {
    const { stacks, resources, events, softwareConfigs, evidence } = this.#data.tables;
    this.#table(api, stacks, [GET, QUERY, PUT, UPDATE]);
    // A user clears hooks, marks rows and signals: a write on the row, and a visit; a signal that comes too late leaves evidence.
    this.#table(api, resources, [GET, QUERY, UPDATE]);
    // A diagnosis reads what has been seen, and an owner's report is added to it.
    this.#table(api, evidence, [GET, QUERY, UPDATE]);
    this.#table(api, softwareConfigs, [GET, QUERY, PUT, DELETE]);
    this.#table(api, events, [QUERY]);
    this.#blobs(api, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    this.#send(api, ["prepare", "check", "poll"]);
    this.#count(api);
    this.#keys(api);
  }

  #checkResource(check: HearthFunction): void {
    this.#operate(check);
    this.#table(check, this.#data.tables.syncPoints, [GET, QUERY, PUT, UPDATE]);
    this.#redeliver(check, ["check", "poll"]);
  }

  /** Everything that an operation of any resource type does, for whoever may come to drive or to abandon one. */
  #operate(visitor: HearthFunction): void {
    const { stacks, resources, softwareConfigs, evidence, fakeProvider } = this.#data.tables;
    this.#table(visitor, stacks, [GET, PUT, UPDATE]);
    this.#table(visitor, resources, [GET, QUERY, PUT, UPDATE]);
    // What ends without an answer is told with its diagnosis.
    this.#table(visitor, softwareConfigs, [GET, QUERY, PUT, DELETE]);
    this.#table(visitor, evidence, [GET, QUERY]);
    this.#table(visitor, fakeProvider, [GET, PUT, UPDATE]);
    this.#blobs(visitor, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    this.#send(visitor, ["prepare", "check", "poll"]);
    this.#keys(visitor);
  }

  #prepareTraversal(prepare: HearthFunction): void {
    const { stacks, resources, syncPoints } = this.#data.tables;
    this.#table(prepare, stacks, [GET, PUT, UPDATE]);
    this.#table(prepare, resources, [GET, QUERY, PUT, UPDATE]);
    this.#table(prepare, syncPoints, [GET, QUERY, BATCH_WRITE]);
    // Whoever finds a delete complete removes the stack's snapshots.
    this.#blobs(prepare, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    this.#send(prepare, ["prepare", "check", "poll"]);
    this.#redeliver(prepare, ["prepare"]);
    this.#keys(prepare);
  }

  /** A worker may have died in a provider's call: that is asked again, or what it made would be left behind. */
  #deadLetter(deadLetter: HearthFunction): void {
    this.#operate(deadLetter);
    this.#table(deadLetter, this.#data.tables.syncPoints, [GET, QUERY]);
  }

  #sweep(sweep: HearthFunction): void {
    this.#watcher(sweep);
    sweep.allow([DELETE_BLOB], [this.#data.blobs.arnForObjects("*")]);
    sweep.allow([QUERY], [`${this.#data.tables.stacks.tableArn}/index/${UNSETTLED_INDEX}`]);
  }

  #signal(signal: HearthFunction): void {
    const { resources, softwareConfigs, evidence } = this.#data.tables;
    this.#table(signal, resources, [GET, UPDATE]);
    this.#table(signal, softwareConfigs, [GET]);
    this.#table(signal, evidence, [GET, UPDATE]);
    // The URLs that it signs for bodies too large for it let their senders do what it may do itself.
    this.#blobs(signal, [READ_BLOB, PUT_BLOB]);
    this.#send(signal, ["poll"]);
    this.#keys(signal);
  }

  #metadata(metadata: HearthFunction): void {
    const { softwareConfigs, evidence } = this.#data.tables;
    this.#table(metadata, softwareConfigs, [GET, QUERY]);
    this.#table(metadata, evidence, [GET, QUERY, UPDATE]);
    this.#blobs(metadata, [READ_BLOB]);
    this.#keys(metadata);
  }

  #events(events: HearthFunction): void {
    this.#table(events, this.#data.tables.events, [PUT]);
  }

  #authorizer(authorizer: HearthFunction): void {
    this.#table(authorizer, this.#data.apiTokens, [GET]);
  }

  #superviseStacks(supervise: HearthFunction): void {
    this.#table(supervise, this.#data.executions, [GET]);
    supervise.allow(["states:StartExecution"], [this.#supervisor.stateMachineArn]);
    this.#endWatches(supervise);
  }

  #awaitEnd(awaitEnd: HearthFunction): void {
    this.#table(awaitEnd, this.#data.executions, [PUT]);
    this.#endWatches(awaitEnd);
    this.#table(awaitEnd, this.#data.tables.stacks, [GET]);
    this.#blobs(awaitEnd, [READ_BLOB]);
  }

  #rotateSigningKey(rotate: HearthFunction): void {
    rotate.allow(
      [
        "secretsmanager:DescribeSecret",
        "secretsmanager:PutSecretValue",
        "secretsmanager:UpdateSecretVersionStage",
      ],
      [this.#data.secretArns.signing],
    );
  }

  /** Reads what stands still, sends messages, and makes the deadline's write. */
  #watcher(watcher: HearthFunction): void {
    const { stacks, resources, syncPoints } = this.#data.tables;
    this.#table(watcher, stacks, [GET, UPDATE]);
    // The end of a nested stack is told to the row that owns it.
    this.#table(watcher, resources, [GET, QUERY, UPDATE]);
    this.#table(watcher, syncPoints, [GET, QUERY]);
    this.#blobs(watcher, [READ_BLOB, PUT_BLOB]);
    this.#send(watcher, ["prepare", "check", "poll"]);
    this.#keys(watcher);
  }

  #table(caller: HearthFunction, table: Table, actions: readonly string[]): void {
    caller.allow(actions, [table.tableArn]);
  }

  #blobs(caller: HearthFunction, actions: readonly string[]): void {
    caller.allow(actions, [this.#data.blobs.arnForObjects("*")]);
    // Without this S3 answers 403 instead of 404 for what is not there.
    caller.allow(["s3:ListBucket"], [this.#data.blobs.bucketArn]);
    caller.acknowledge(
      `AwsSolutions-IAM5[Resource::<${logicalIdOf(this.#data.blobs)}.Arn>/*]`,
      "The keys are hashes of contents, so every object may be anybody's.",
    );
  }

  #send(caller: HearthFunction, queues: readonly QueueName[]): void {
    caller.allow(
      this.#withBatch("sqs:SendMessage"),
      queues.map((name) => this.#queues.work[name].queueArn),
    );
  }

  #redeliver(caller: HearthFunction, queues: readonly QueueName[]): void {
    caller.allow(
      this.#withBatch("sqs:ChangeMessageVisibility"),
      queues.map((name) => this.#queues.work[name].queueArn),
    );
  }

  /** AWS looks whether the token is one of this machine's; an emulator does not know whose it is. */
  #endWatches(caller: HearthFunction): void {
    const machine = this.#emulator ? "*" : this.#supervisor.stateMachineArn;
    caller.allowApart("EndWatches", ["states:SendTaskSuccess"], [machine]);
    if (!this.#emulator) return;
    caller.acknowledge(
      "AwsSolutions-IAM5[Resource::*]",
      "An emulator knows no machine of a token.",
    );
  }

  /** On AWS the right to do it once is the right to do it ten times; there is no other. */
  #withBatch(action: string): readonly string[] {
    return this.#emulator ? [action, `${action}Batch`] : [action];
  }

  /** Their numbers only: none of them may be received from. */
  #count(caller: HearthFunction): void {
    const { work, deadLetters, givenUp, streamFailures } = this.#queues;
    const queues = [...Object.values(work), ...Object.values(deadLetters), givenUp, streamFailures];
    caller.allow(
      ["sqs:GetQueueAttributes"],
      queues.map(({ queueArn }) => queueArn),
    );
  }

  #keys(caller: HearthFunction): void {
    const { signing, encryption } = this.#data.secretArns;
    caller.allow(["secretsmanager:GetSecretValue"], [signing, encryption]);
  }
}

/** As cdk-nag names it in its findings. */
const logicalIdOf = (bucket: Bucket): string => {
  const { defaultChild } = bucket.node;
  return CfnElement.isCfnElement(defaultChild) ? Stack.of(bucket).getLogicalId(defaultChild) : "";
};
