/**
 * Creates and removes the adapters' tables, queues and bucket for tests and emulators. infra/
 * creates those of a deployment.
 */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import { CreateQueueCommand, DeleteQueueCommand } from "@aws-sdk/client-sqs";
import { type AwsClients, type AwsConnection, openClients } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import {
  TABLE_IDS,
  TABLES,
  type TableId,
  type TableIndex,
  type TableShape,
  TTL_ATTRIBUTE,
} from "#lib/adapters/aws/tables.ts";
import { present } from "#lib/errors.ts";
import type { QueueName } from "#lib/ports/queue.ts";

const TABLE_SECONDS_MAX = 60;
const QUEUE_NAMES = ["prepare", "check", "poll"] as const satisfies readonly QueueName[];

const attributesOf = ({ partitionKey, sortKey, index }: TableShape): readonly string[] => [
  ...new Set([partitionKey, sortKey, ...(index ? [index.partitionKey] : [])]),
];

const indexInput = ({ name, partitionKey, sortKey, projected }: TableIndex) => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: partitionKey, KeyType: "HASH" as const },
    ...(sortKey ? [{ AttributeName: sortKey, KeyType: "RANGE" as const }] : []),
  ],
  Projection: projected
    ? { ProjectionType: "INCLUDE" as const, NonKeyAttributes: [...projected] }
    : { ProjectionType: "KEYS_ONLY" as const },
});

type TableInput = CreateTableCommandInput & { readonly TableName: string };

const tableInput = (name: string, shape: TableShape): TableInput => ({
  TableName: name,
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [
    { AttributeName: shape.partitionKey, KeyType: "HASH" },
    { AttributeName: shape.sortKey, KeyType: "RANGE" },
  ],
  AttributeDefinitions: attributesOf(shape).map((AttributeName) => ({
    AttributeName,
    AttributeType: "S",
  })),
  ...(shape.index && { GlobalSecondaryIndexes: [indexInput(shape.index)] }),
  ...(shape.streams && {
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  }),
});

/** Some emulators have no TTL, and nothing may depend on it. */
const switchOnTtl = async (dynamo: DynamoDBClient, name: string): Promise<void> => {
  try {
    await dynamo.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { AttributeName: TTL_ATTRIBUTE, Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === "UnknownOperationException")) throw error;
  }
};

/** The prefix belongs to this run only, so an existing table was created by a retried request. */
const createOnce = async (
  { dynamo }: AwsClients,
  input: TableInput,
  expires: boolean,
): Promise<string> => {
  const { TableName } = input;
  try {
    await dynamo.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists(
    { client: dynamo, maxWaitTime: TABLE_SECONDS_MAX, minDelay: 1, maxDelay: 2 },
    { TableName },
  );
  if (expires) await switchOnTtl(dynamo, TableName);
  return TableName;
};

const createThrottle = (clients: AwsClients, prefix: string): Promise<string> => {
  const pk = { AttributeName: "pk" };
  const input: TableInput = {
    TableName: `${prefix}-throttle`,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ ...pk, KeyType: "HASH" }],
    AttributeDefinitions: [{ ...pk, AttributeType: "S" }],
  };
  return createOnce(clients, input, true);
};

const createTable = (clients: AwsClients, prefix: string, id: TableId): Promise<string> =>
  createOnce(clients, tableInput(`${prefix}-${id}`, TABLES[id]), TABLES[id].expires);

const createQueue = async ({ sqs }: AwsClients, prefix: string, name: QueueName) => {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `${prefix}-${name}` }));
  return present(QueueUrl, `the address of the ${name} queue`);
};

const emptyBucket = async ({ s3 }: AwsClients, Bucket: string): Promise<void> => {
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    if (Contents.length === 0) return;
    for (const { Key } of Contents) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  }
};

export interface CreatedPlace extends AwsPlace {
  readonly throttle: string;
  remove(): Promise<void>;
}

/** `prefix` must also be valid in a bucket's name: small letters, digits and dashes. */
export const createTables = async (
  connection: AwsConnection,
  prefix: string,
): Promise<CreatedPlace> => {
  const clients = openClients(connection);
  const [stacks, resources, syncPoints, events, softwareConfigs, evidence, fakeProvider] =
    await Promise.all([
      createTable(clients, prefix, "stacks"),
      createTable(clients, prefix, "resources"),
      createTable(clients, prefix, "syncPoints"),
      createTable(clients, prefix, "events"),
      createTable(clients, prefix, "softwareConfigs"),
      createTable(clients, prefix, "evidence"),
      createTable(clients, prefix, "fakeProvider"),
    ]);
  const tables = { stacks, resources, syncPoints, events, softwareConfigs, evidence, fakeProvider };
  const throttle = await createThrottle(clients, prefix);
  const queues = {
    prepare: await createQueue(clients, prefix, "prepare"),
    check: await createQueue(clients, prefix, "check"),
    poll: await createQueue(clients, prefix, "poll"),
  };
  await clients.s3.send(new CreateBucketCommand({ Bucket: prefix }));
  const remove = async (): Promise<void> => {
    for (const TableName of [...TABLE_IDS.map((id) => tables[id]), throttle])
      await clients.dynamo.send(new DeleteTableCommand({ TableName }));
    for (const name of QUEUE_NAMES)
      await clients.sqs.send(new DeleteQueueCommand({ QueueUrl: queues[name] }));
    await emptyBucket(clients, prefix);
    await clients.s3.send(new DeleteBucketCommand({ Bucket: prefix }));
    clients.close();
  };
  return { tables, queues, bucket: prefix, throttle, remove };
};
