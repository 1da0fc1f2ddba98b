import { randomUUID } from "node:crypto";
import {
  type AttributeValue,
  DynamoDBClient,
  ScanCommand,
  type ScanCommandOutput,
} from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { PurgeQueueCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { openSigner } from "#functions/aws/secrets.ts";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import type { Signer } from "#lib/ports/ports.ts";
import type { Message } from "#lib/ports/queue.ts";
import { blobsText, emptyBucket } from "./bucket.ts";
import { connectionTo } from "./connection.ts";
import type { Deployment, Outputs } from "./deployment.ts";
import { eventually } from "./eventually.ts";
import { type Execution, readExecution } from "./executions.ts";
import { type MadeObject, madeObjects } from "./fake-provider-items.ts";
import { type Functions, functionNames, openFunctions } from "./functions.ts";
import { rotateSecret } from "./rotation.ts";
import { readStackResources, type StackResources } from "./stack-resources.ts";
import { stackOf } from "./stage.ts";

const END_MS_MAX = 30_000;

export interface Account extends Pick<Functions, "logsText" | "logLines"> {
  readonly adapter: AwsAdapter;
  countItems(): Promise<Readonly<Record<string, number>>>;
  items(): Promise<ReadonlyMap<string, readonly object[]>>;
  tablesText(): Promise<string>;
  blobsText(): Promise<string>;
  /** Signs with the current keys, for URLs that no function would make. */
  signer(): Promise<Signer>;
  objectsMade(stackName: string): Promise<readonly MadeObject[]>;
  readonly functionNames: ReadonlyMap<string, string>;
  queueUrl(queue: string): string;
  purge(queue: string): Promise<void>;
  send(queue: string, message: Message): Promise<void>;
  endedExecution(traversalId: string): Promise<Execution>;
  emptyBucket(): Promise<void>;
  /**
   * Rotates through the deployed function: the secret gets a new current version, and the old one
   * becomes the previous version.
   */
  readonly rotateSigningKey: () => Promise<void>;
  /**
   * Gives both versions of the secret texts without a former key, as an operator does after a leak.
   */
  readonly replaceSigningKeys: () => Promise<void>;
  close(): void;
}

/** An emulator serves a whole lane at once, so this is far above the limit of the functions. */
const REQUEST_MS_MAX = 120_000;

const table = (resources: StackResources, name: string): string =>
  resources.idOf("AWS::DynamoDB::Table", `Data${name}`);

const queueUrl = (resources: StackResources, name: string): string =>
  resources.idOf("AWS::SQS::Queue", `Queues${name}`);

const openPlaces = (endpoint: string, resources: StackResources, bucket: string) =>
  openAws({
    ...connectionTo(endpoint),
    requestMsMax: REQUEST_MS_MAX,
    bucket,
    tables: {
      stacks: table(resources, "Stacks"),
      resources: table(resources, "Resources"),
      syncPoints: table(resources, "SyncPoints"),
      events: table(resources, "Events"),
      softwareConfigs: table(resources, "SoftwareConfigs"),
      evidence: table(resources, "Evidence"),
      fakeProvider: table(resources, "FakeProvider"),
    },
    queues: {
      prepare: queueUrl(resources, "Prepare"),
      check: queueUrl(resources, "Check"),
      poll: queueUrl(resources, "Poll"),
    },
  });

export const openAccount = async (
  { endpoint, stage }: Pick<Deployment, "endpoint" | "stage">,
  { StateMachineArn, BlobsBucket, SigningSecretArn }: Outputs,
): Promise<Account> => {
  const dynamo = new DynamoDBClient(connectionTo(endpoint));
  const sqs = new SQSClient(connectionTo(endpoint));
  const sfn = new SFNClient(connectionTo(endpoint));
  const resources = await readStackResources(connectionTo(endpoint), stackOf(stage));
  const functions = openFunctions(connectionTo(endpoint), resources);
  const secrets = new SecretsManagerClient(connectionTo(endpoint));
  const s3 = new S3Client({ ...connectionTo(endpoint), forcePathStyle: true });
  const adapter = openPlaces(endpoint, resources, BlobsBucket);
  const tables = [...resources.idsOf("AWS::DynamoDB::Table")];
  const items = async (): Promise<ReadonlyMap<string, readonly object[]>> =>
    new Map(
      await Promise.all(
        tables.map(
          async ([name, id]) => [name.replace("Data", ""), await scan(dynamo, id)] as const,
        ),
      ),
    );
  return {
    adapter,
    items,
    countItems: async () =>
      Object.fromEntries([...(await items())].map(([name, of]) => [name, of.length])),
    tablesText: async () => JSON.stringify([...(await items()).values()]),
    blobsText: () => blobsText(s3, BlobsBucket),
    signer: async () => (await openSigner(secrets, SigningSecretArn, systemClock())).signer,
    objectsMade: async (stackName) =>
      madeObjects(await scan(dynamo, table(resources, "FakeProvider")), stackName),
    functionNames: functionNames(resources),
    logsText: functions.logsText,
    logLines: functions.logLines,
    queueUrl: (queue) => queueUrl(resources, queue),
    purge: async (queue) => {
      await sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl(resources, queue) }));
    },
    send: async (queue, message) => {
      const MessageBody = JSON.stringify(message);
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(resources, queue), MessageBody }));
    },
    endedExecution: (traversalId) =>
      eventually(`the execution of ${traversalId} ends`, END_MS_MAX, async () => {
        const execution = await readExecution(sfn, StateMachineArn, traversalId);
        return execution?.status === "RUNNING" ? null : execution;
      }),
    emptyBucket: () => emptyBucket(s3, BlobsBucket),
    rotateSigningKey: () => rotateSecret(secrets, functions, SigningSecretArn),
    replaceSigningKeys: async () => {
      for (const SecretString of [randomUUID(), randomUUID()].map((text) => text.repeat(2))) {
        await secrets.send(new PutSecretValueCommand({ SecretId: SigningSecretArn, SecretString }));
      }
    },
    close: () => {
      adapter.close();
      functions.close();
      for (const client of [dynamo, sqs, sfn, secrets, s3]) client.destroy();
    },
  };
};

const scan = async (dynamo: DynamoDBClient, TableName: string): Promise<readonly object[]> => {
  const items: object[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page: ScanCommandOutput = await dynamo.send(
      new ScanCommand({ TableName, ...(from && { ExclusiveStartKey: from }) }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
};
