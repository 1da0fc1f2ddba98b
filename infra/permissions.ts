/**
 * The rights of each function, by exact ARN: no more than its handler needs. A test in
 * test/architecture compares them with a list, so a new right is noticed.
 */
import { CfnElement, Stack } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { FunctionName } from "#functions/aws/environment.ts";
import { OUTLINE_INDEX, UNSETTLED_INDEX, UPLOADS_PREFIX } from "#lib/adapters/aws/tables.ts";
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
const BATCH_GET = "dynamodb:BatchGetItem";
const BATCH_WRITE = "dynamodb:BatchWriteItem";

const READ_BLOB = "s3:GetObject";
const PUT_BLOB = "s3:PutObject";
const DELETE_BLOB = "s3:DeleteObject";

const READ_SECRET = "secretsmanager:GetSecretValue";

const SEND = "sqs:SendMessage";
const REDELIVER = "sqs:ChangeMessageVisibility";

export class Permissions {
  readonly #data: Data;
  readonly #queues: Queues;
  readonly #supervisor: Supervisor;
  readonly #settings: Settings;

  constructor(data: Data, queues: Queues, supervisor: Supervisor, settings: Settings) {
    this.#data = data;
    this.#queues = queues;
    this.#supervisor = supervisor;
    this.#settings = settings;
  }

  give(functions: Readonly<Record<FunctionName, HearthFunction>>): void {
    this.#api(functions.api);
    this.#authorizer(functions.authorizer);
    this.#metadata(functions.metadata);
    this.#metadata(functions["agent-polls"]);
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
    this.#table(api, stacks, [GET, BATCH_GET, QUERY, PUT, UPDATE, DELETE]);
    // A user clears hooks, marks rows and signals: each writes a row and sends a visit. A late
    // signal leaves evidence. A page of resources is read by its keys.
    this.#table(api, resources, [GET, BATCH_GET, QUERY, UPDATE]);
    this.#table(api, evidence, [GET, QUERY, UPDATE]);
    this.#table(api, softwareConfigs, [GET, QUERY, PUT, DELETE]);
    this.#table(api, events, [GET, QUERY, UPDATE]);
    this.#table(api, this.#data.throttle, [UPDATE]);
    this.#blobs(api, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    this.#onQueues(api, SEND, ["prepare", "check", "poll"]);
    const { work, deadLetters, givenUp, streamFailures } = this.#queues;
    const letters = Object.values(deadLetters);
    this.#count(api, [...Object.values(work), ...letters, givenUp, streamFailures]);
    this.#keys(api);
    if (this.#settings.authorizer === "function") this.#authorizer(api);
  }

  #checkResource(check: HearthFunction): void {
    this.#operate(check);
    this.#table(check, this.#data.tables.syncPoints, [GET, QUERY, PUT, UPDATE]);
    this.#onQueues(check, REDELIVER, ["check", "poll"]);
  }

  #operate(visitor: HearthFunction): void {
    const { stacks, resources, softwareConfigs, evidence } = this.#data.tables;
    const { testObjects } = this.#data;
    this.#table(visitor, stacks, [GET, PUT, UPDATE]);
    // A resource that waits for a server reads the server's rows by name.
    this.#table(visitor, resources, [GET, BATCH_GET, QUERY, PUT, UPDATE]);
    this.#table(visitor, softwareConfigs, [GET, QUERY, PUT, DELETE]);
    // A failure by timeout contains a diagnosis. A deleted server leaves a sighting.
    this.#table(visitor, evidence, [GET, QUERY, UPDATE]);
    if (testObjects !== null) this.#table(visitor, testObjects, [GET, PUT, UPDATE]);
    this.#blobs(visitor, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    // When a result is recorded, its upload is deleted with all versions.
    this.#uploads(visitor, ["s3:DeleteObjectVersion"]);
    this.#onQueues(visitor, SEND, ["prepare", "check", "poll"]);
    this.#keys(visitor);
    this.#actForProjects(visitor);
  }

  #prepareTraversal(prepare: HearthFunction): void {
    const { stacks, resources, syncPoints } = this.#data.tables;
    this.#table(prepare, stacks, [GET, PUT, UPDATE]);
    this.#table(prepare, resources, [GET, QUERY, PUT, UPDATE]);
    this.#table(prepare, syncPoints, [GET, QUERY, BATCH_WRITE]);
    // The function that completes a stack's delete also removes its snapshots.
    this.#blobs(prepare, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    this.#onQueues(prepare, SEND, ["prepare", "check", "poll"]);
    this.#onQueues(prepare, REDELIVER, ["prepare"]);
    this.#keys(prepare);
  }

  /**
   * A worker may have died in a provider call. The handler repeats the call, because otherwise its
   * object would be left behind.
   */
  #deadLetter(deadLetter: HearthFunction): void {
    this.#operate(deadLetter);
    this.#table(deadLetter, this.#data.tables.syncPoints, [GET, QUERY]);
  }

  #sweep(sweep: HearthFunction): void {
    this.#watcher(sweep);
    this.#retire(sweep);
    this.#table(sweep, this.#data.tables.syncPoints, [BATCH_GET]);
    this.#count(sweep, Object.values(this.#queues.work));
    sweep.allow([QUERY], [`${this.#data.tables.stacks.tableArn}/index/${UNSETTLED_INDEX}`]);
  }

  #signal(signal: HearthFunction): void {
    const { resources, softwareConfigs, evidence } = this.#data.tables;
    this.#table(signal, resources, [GET, UPDATE]);
    this.#table(signal, softwareConfigs, [GET]);
    this.#table(signal, evidence, [GET, UPDATE]);
    // The function signs upload URLs for large bodies, and their senders act with its rights.
    this.#blobs(signal, [READ_BLOB, PUT_BLOB]);
    this.#onQueues(signal, SEND, ["poll"]);
    this.#keys(signal);
  }

  #metadata(metadata: HearthFunction): void {
    const { softwareConfigs, evidence } = this.#data.tables;
    this.#table(metadata, softwareConfigs, [GET, QUERY]);
    metadata.allow([QUERY], [`${softwareConfigs.tableArn}/index/${OUTLINE_INDEX}`]);
    this.#table(metadata, evidence, [GET, QUERY, UPDATE]);
    this.#blobs(metadata, [READ_BLOB]);
    this.#keys(metadata);
  }

  #events(events: HearthFunction): void {
    this.#table(events, this.#data.tables.events, [PUT]);
    this.#retire(events);
    // Before it deletes the large values of a removed item, it checks that the item is gone.
    this.#table(events, this.#data.tables.resources, [GET]);
  }

  #retire(retiring: HearthFunction): void {
    const { stacks, events } = this.#data.tables;
    this.#table(retiring, stacks, [GET, UPDATE, DELETE]);
    this.#table(retiring, events, [GET, QUERY, UPDATE]);
    this.#blobs(retiring, [READ_BLOB, DELETE_BLOB]);
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
        READ_SECRET,
        "secretsmanager:PutSecretValue",
        "secretsmanager:UpdateSecretVersionStage",
      ],
      [this.#data.secretArns.signing],
    );
  }

  #watcher(watcher: HearthFunction): void {
    const { stacks, resources, syncPoints } = this.#data.tables;
    this.#table(watcher, stacks, [GET, UPDATE]);
    // The end of a nested stack is written to the row that owns it.
    this.#table(watcher, resources, [GET, QUERY, UPDATE]);
    this.#table(watcher, syncPoints, [GET, QUERY]);
    this.#blobs(watcher, [READ_BLOB, PUT_BLOB]);
    this.#onQueues(watcher, SEND, ["prepare", "check", "poll"]);
    this.#keys(watcher);
  }

  #table(caller: HearthFunction, table: Table, actions: readonly string[]): void {
    caller.allow(actions, [table.tableArn]);
  }

  #blobs(caller: HearthFunction, actions: readonly string[]): void {
    caller.allow(actions, [this.#data.blobs.arnForObjects("*")]);
    // Without this right S3 answers 403 instead of 404 for a missing object.
    caller.allow(["s3:ListBucket"], [this.#data.blobs.bucketArn]);
    caller.acknowledge(
      `AwsSolutions-IAM5[Resource::<${logicalIdOf(this.#data.blobs)}.Arn>/*]`,
      "The keys are made of hashes and ids, so a function may need any object.",
    );
  }

  #uploads(caller: HearthFunction, actions: readonly string[]): void {
    caller.allow(actions, [this.#data.blobs.arnForObjects(`${UPLOADS_PREFIX}*`)]);
    caller.acknowledge(
      `AwsSolutions-IAM5[Resource::<${logicalIdOf(this.#data.blobs)}.Arn>/${UPLOADS_PREFIX}*]`,
      "An upload has the id of a derived config.",
    );
  }

  /** On AWS the right to send one message covers batches, and there is no separate action. */
  #onQueues(caller: HearthFunction, action: string, queues: readonly QueueName[]): void {
    caller.allow(
      this.#settings.emulator ? [action, `${action}Batch`] : [action],
      queues.map((name) => this.#queues.work[name].queueArn),
    );
  }

  /** AWS checks that the token belongs to this state machine. An emulator cannot. */
  #endWatches(caller: HearthFunction): void {
    const machine = this.#settings.emulator ? "*" : this.#supervisor.stateMachineArn;
    caller.allowApart("EndWatches", ["states:SendTaskSuccess"], [machine]);
    if (!this.#settings.emulator) return;
    caller.acknowledge(
      "AwsSolutions-IAM5[Resource::*]",
      "An emulator does not know a token's state machine.",
    );
  }

  #count(caller: HearthFunction, queues: readonly Queue[]): void {
    caller.allow(
      ["sqs:GetQueueAttributes"],
      queues.map(({ queueArn }) => queueArn),
    );
  }

  #actForProjects(caller: HearthFunction): void {
    const { awsRoles, openStackSecrets } = this.#settings;
    const secretArns = new Set(Object.values(openStackSecrets));
    if (secretArns.size > 0) caller.allow([READ_SECRET], [...secretArns]);
    const roleArns = new Set(Object.values(awsRoles).map(({ role_arn }) => role_arn));
    if (roleArns.size > 0) caller.allow(["sts:AssumeRole"], [...roleArns]);
  }

  #keys(caller: HearthFunction): void {
    const { signing, encryption } = this.#data.secretArns;
    const ofPlugIns = Object.values(this.#settings.plugIns).map(({ secret }) => secret);
    caller.allow([READ_SECRET], [signing, encryption, ...ofPlugIns]);
  }
}

const logicalIdOf = (bucket: Bucket): string => {
  const { defaultChild } = bucket.node;
  return CfnElement.isCfnElement(defaultChild) ? Stack.of(bucket).getLogicalId(defaultChild) : "";
};
