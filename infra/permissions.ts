/**
 * The rights of each function, by exact ARN: no more than its handler needs. A test in
 * test/architecture compares them with a list, so a new right is noticed.
 */
import { CfnElement, Stack } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Bucket } from "aws-cdk-lib/aws-s3";
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

export class Permissions {
  readonly #data: Data;
  readonly #supervisor: Supervisor;
  readonly #grants: Grants;
  readonly #settings: Settings;

  constructor(data: Data, queues: Queues, supervisor: Supervisor, settings: Settings) {
    this.#data = data;
    this.#settings = settings;
    this.#supervisor = supervisor;
    this.#grants = new Grants(data, queues, supervisor, settings);
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
    this.#grants.table(api, stacks, [GET, BATCH_GET, QUERY, PUT, UPDATE, DELETE]);
    // A user clears hooks, marks rows and signals: each writes a row and sends a visit. A late
    // signal leaves evidence. A page of resources is read by its keys.
    this.#grants.table(api, resources, [GET, BATCH_GET, QUERY, UPDATE]);
    this.#grants.table(api, evidence, [GET, QUERY, UPDATE]);
    this.#grants.table(api, softwareConfigs, [GET, QUERY, PUT, DELETE]);
    this.#grants.table(api, events, [GET, QUERY, UPDATE]);
    this.#grants.table(api, this.#data.throttle, [UPDATE]);
    this.#grants.blobs(api, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    this.#grants.send(api, ["prepare", "check", "poll"]);
    this.#grants.count(api);
    this.#grants.keys(api);
    if (this.#settings.authorizer === "function") this.#authorizer(api);
  }

  #checkResource(check: HearthFunction): void {
    this.#operate(check);
    this.#grants.table(check, this.#data.tables.syncPoints, [GET, QUERY, PUT, UPDATE]);
    this.#grants.redeliver(check, ["check", "poll"]);
  }

  #operate(visitor: HearthFunction): void {
    const { stacks, resources, softwareConfigs, evidence } = this.#data.tables;
    const { testObjects } = this.#data;
    this.#grants.table(visitor, stacks, [GET, PUT, UPDATE]);
    // A resource that waits for a server reads the server's rows by name.
    this.#grants.table(visitor, resources, [GET, BATCH_GET, QUERY, PUT, UPDATE]);
    this.#grants.table(visitor, softwareConfigs, [GET, QUERY, PUT, DELETE]);
    // A failure by timeout contains a diagnosis. A deleted server leaves a sighting.
    this.#grants.table(visitor, evidence, [GET, QUERY, UPDATE]);
    if (testObjects !== null) this.#grants.table(visitor, testObjects, [GET, PUT, UPDATE]);
    this.#grants.blobs(visitor, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    // When a result is recorded, its upload is deleted with all versions.
    this.#grants.uploads(visitor, ["s3:DeleteObjectVersion"]);
    this.#grants.send(visitor, ["prepare", "check", "poll"]);
    this.#grants.keys(visitor);
    this.#grants.assumeRoles(visitor);
  }

  #prepareTraversal(prepare: HearthFunction): void {
    const { stacks, resources, syncPoints } = this.#data.tables;
    this.#grants.table(prepare, stacks, [GET, PUT, UPDATE]);
    this.#grants.table(prepare, resources, [GET, QUERY, PUT, UPDATE]);
    this.#grants.table(prepare, syncPoints, [GET, QUERY, BATCH_WRITE]);
    // The function that completes a stack's delete also removes its snapshots.
    this.#grants.blobs(prepare, [READ_BLOB, PUT_BLOB, DELETE_BLOB]);
    this.#grants.send(prepare, ["prepare", "check", "poll"]);
    this.#grants.redeliver(prepare, ["prepare"]);
    this.#grants.keys(prepare);
  }

  /**
   * A worker may have died in a provider call. The handler repeats the call, because otherwise its
   * object would be left behind.
   */
  #deadLetter(deadLetter: HearthFunction): void {
    this.#operate(deadLetter);
    this.#grants.table(deadLetter, this.#data.tables.syncPoints, [GET, QUERY]);
  }

  #sweep(sweep: HearthFunction): void {
    this.#watcher(sweep);
    this.#retire(sweep);
    this.#grants.table(sweep, this.#data.tables.syncPoints, [BATCH_GET]);
    this.#grants.countWork(sweep);
    sweep.allow([QUERY], [`${this.#data.tables.stacks.tableArn}/index/${UNSETTLED_INDEX}`]);
  }

  #signal(signal: HearthFunction): void {
    const { resources, softwareConfigs, evidence } = this.#data.tables;
    this.#grants.table(signal, resources, [GET, UPDATE]);
    this.#grants.table(signal, softwareConfigs, [GET]);
    this.#grants.table(signal, evidence, [GET, UPDATE]);
    // The function signs upload URLs for large bodies, and their senders act with its rights.
    this.#grants.blobs(signal, [READ_BLOB, PUT_BLOB]);
    this.#grants.send(signal, ["poll"]);
    this.#grants.keys(signal);
  }

  #metadata(metadata: HearthFunction): void {
    const { softwareConfigs, evidence } = this.#data.tables;
    this.#grants.table(metadata, softwareConfigs, [GET, QUERY]);
    metadata.allow([QUERY], [`${softwareConfigs.tableArn}/index/${OUTLINE_INDEX}`]);
    this.#grants.table(metadata, evidence, [GET, QUERY, UPDATE]);
    this.#grants.blobs(metadata, [READ_BLOB]);
    this.#grants.keys(metadata);
  }

  #events(events: HearthFunction): void {
    this.#grants.table(events, this.#data.tables.events, [PUT]);
    this.#retire(events);
    // Before it deletes the large values of a removed item, it checks that the item is gone.
    this.#grants.table(events, this.#data.tables.resources, [GET]);
  }

  #retire(retiring: HearthFunction): void {
    const { stacks, events } = this.#data.tables;
    this.#grants.table(retiring, stacks, [GET, UPDATE, DELETE]);
    this.#grants.table(retiring, events, [GET, QUERY, UPDATE]);
    this.#grants.blobs(retiring, [READ_BLOB, DELETE_BLOB]);
  }

  #authorizer(authorizer: HearthFunction): void {
    this.#grants.table(authorizer, this.#data.apiTokens, [GET]);
  }

  #superviseStacks(supervise: HearthFunction): void {
    this.#grants.table(supervise, this.#data.executions, [GET]);
    supervise.allow(["states:StartExecution"], [this.#supervisor.stateMachineArn]);
    this.#grants.endWatches(supervise);
  }

  #awaitEnd(awaitEnd: HearthFunction): void {
    this.#grants.table(awaitEnd, this.#data.executions, [PUT]);
    this.#grants.endWatches(awaitEnd);
    this.#grants.table(awaitEnd, this.#data.tables.stacks, [GET]);
    this.#grants.blobs(awaitEnd, [READ_BLOB]);
  }

  #rotateSigningKey(rotate: HearthFunction): void {
    rotate.allow(
      [
        "secretsmanager:DescribeSecret",
        "secretsmanager:GetSecretValue",
        "secretsmanager:PutSecretValue",
        "secretsmanager:UpdateSecretVersionStage",
      ],
      [this.#data.secretArns.signing],
    );
  }

  #watcher(watcher: HearthFunction): void {
    const { stacks, resources, syncPoints } = this.#data.tables;
    this.#grants.table(watcher, stacks, [GET, UPDATE]);
    // The end of a nested stack is written to the row that owns it.
    this.#grants.table(watcher, resources, [GET, QUERY, UPDATE]);
    this.#grants.table(watcher, syncPoints, [GET, QUERY]);
    this.#grants.blobs(watcher, [READ_BLOB, PUT_BLOB]);
    this.#grants.send(watcher, ["prepare", "check", "poll"]);
    this.#grants.keys(watcher);
  }
}

class Grants {
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
