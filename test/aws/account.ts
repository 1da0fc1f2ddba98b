/** The state of the emulated account, read without the API: rows, messages, executions, logs. */
import {
  type AttributeValue,
  DynamoDBClient,
  ListTablesCommand,
  ScanCommand,
  type ScanCommandOutput,
} from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import {
  ListQueuesCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { openSigner } from "#functions/aws/secrets.ts";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { present } from "#lib/errors.ts";
import type { Message } from "#lib/ports/queue.ts";
import type { Signer } from "#lib/ports/signer.ts";
import { blobsText, emptyBucket } from "./bucket.ts";
import type { Deployment, Outputs } from "./deployment.ts";
import { eventually } from "./eventually.ts";
import { type Execution, readExecution } from "./executions.ts";
import { type MadeObject, madeObjects } from "./fake-provider-items.ts";
import { type Functions, openFunctions } from "./functions.ts";
import { rotateSecret } from "./rotation.ts";
import { namesOf } from "./stage.ts";

const END_MS_MAX = 30_000;

export interface Account extends Pick<Functions, "logsText" | "logLines"> {
  readonly adapter: AwsAdapter;
  /** How many items each table holds, by its logical name. */
  countItems(): Promise<Readonly<Record<string, number>>>;
  /** Every item of every table as one text. */
  tablesText(): Promise<string>;
  /** Every object of the bucket as one text. */
  blobsText(): Promise<string>;
  /** Signs with the current keys, for URLs that no function would make. */
  signer(): Promise<Signer>;
  /** All objects that the provider ever made for a stack, including deleted ones. */
  objectsMade(stackName: string): Promise<readonly MadeObject[]>;
  purge(queue: string): Promise<void>;
  send(queue: string, message: Message): Promise<void>;
  /** A traversal's execution, once it has ended. */
  endedExecution(traversalId: string): Promise<Execution>;
  emptyBucket(): Promise<void>;
  /** Rotates through the deployed function: a new current version, and the one before it. */
  rotateSigningKey(): Promise<void>;
  close(): void;
}

export const connectionTo = (endpoint: string) => ({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
});

/** Physical names contain the logical ones. */
const named = (names: readonly string[], part: string): string =>
  present(
    names.find((name) => new RegExp(`${part}[0-9A-F]{8}`).test(name)),
    `something called ${part}`,
  );

const openPlaces = (
  endpoint: string,
  tables: readonly string[],
  queues: readonly string[],
  bucket: string,
) => {
  const table = (name: string): string => named(tables, `Data${name}`);
  const queue = (name: string): string => named(queues, `Queues${name}`);
  return openAws({
    ...connectionTo(endpoint),
    bucket,
    tables: {
      stacks: table("Stacks"),
      resources: table("Resources"),
      syncPoints: table("SyncPoints"),
      events: table("Events"),
      softwareConfigs: table("SoftwareConfigs"),
      evidence: table("Evidence"),
      fakeProvider: table("FakeProvider"),
    },
    queues: { prepare: queue("Prepare"), check: queue("Check"), poll: queue("Poll") },
  });
};

/** Selects this deployment's resources from all in the account. */
export const openAccount = async (
  { endpoint, stage }: Pick<Deployment, "endpoint" | "stage">,
  { StateMachineArn, BlobsBucket, SigningSecretArn }: Outputs,
): Promise<Account> => {
  const dynamo = new DynamoDBClient(connectionTo(endpoint));
  const sqs = new SQSClient(connectionTo(endpoint));
  const sfn = new SFNClient(connectionTo(endpoint));
  const functions = openFunctions(connectionTo(endpoint), stage);
  const secrets = new SecretsManagerClient(connectionTo(endpoint));
  const s3 = new S3Client({ ...connectionTo(endpoint), forcePathStyle: true });
  const { TableNames = [] } = await dynamo.send(new ListTablesCommand({}));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const [tables, queues] = [namesOf(stage, TableNames), namesOf(stage, QueueUrls)];
  const adapter = openPlaces(endpoint, tables, queues, BlobsBucket);
  const queueUrl = (name: string): string => named(queues, `Queues${name}`);
  return {
    adapter,
    countItems: async () => {
      const counts = await Promise.all(
        tables.map(async (name) => [shortName(name), (await scan(dynamo, name)).length] as const),
      );
      return Object.fromEntries(counts);
    },
    tablesText: async () =>
      JSON.stringify(await Promise.all(tables.map((name) => scan(dynamo, name)))),
    blobsText: () => blobsText(s3, BlobsBucket),
    signer: async () => (await openSigner(secrets, SigningSecretArn, systemClock())).signer,
    objectsMade: async (stackName) =>
      madeObjects(await scan(dynamo, named(tables, "DataFakeProvider")), stackName),
    logsText: functions.logsText,
    logLines: functions.logLines,
    purge: async (queue) => {
      await sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl(queue) }));
    },
    send: async (queue, message) => {
      const MessageBody = JSON.stringify(message);
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queue), MessageBody }));
    },
    endedExecution: (traversalId) =>
      eventually(`the execution of ${traversalId} ends`, END_MS_MAX, async () => {
        const execution = await readExecution(sfn, StateMachineArn, traversalId);
        return execution?.status === "RUNNING" ? null : execution;
      }),
    emptyBucket: () => emptyBucket(s3, BlobsBucket),
    rotateSigningKey: () => rotateSecret(secrets, functions, SigningSecretArn),
    close: () => {
      adapter.close();
      functions.close();
      for (const client of [dynamo, sqs, sfn, secrets, s3]) client.destroy();
    },
  };
};

const shortName = (name: string): string => /Data([A-Za-z]+?)[0-9A-F]{8}/.exec(name)?.[1] ?? name;

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
