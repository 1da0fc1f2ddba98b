import { Duration, Validations } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
} from "aws-cdk-lib/aws-dynamodb";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { CfnSecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import {
  TABLES,
  type TableId,
  type TEST_TABLE,
  TTL_ATTRIBUTE,
  UPLOADS_PREFIX,
} from "#lib/adapters/aws/tables.ts";
import type { RestoredTable } from "./restore/stage-outputs.ts";
import { isProtected, type Settings } from "./settings.ts";

/**
 * Data that nothing could recreate. A traversal or an agent's next poll recreates the contents of
 * the other tables, or they are empty at rest.
 */
const RECOVERED: readonly TableId[] = ["stacks", "resources", "events", "softwareConfigs"];

/**
 * DynamoDB's tables can be restored to any second of this period. Deleted objects of the bucket can
 * be restored for as long.
 */
const RECOVERY = Duration.days(35);

const UPLOADS_KEPT = Duration.days(1);

const SECRET_CHARS = 64;

export class Data extends Construct {
  readonly recovered: readonly Table[];
  readonly tables: Readonly<Record<Exclude<TableId, typeof TEST_TABLE>, Table>>;
  readonly testObjects: Table | null;
  readonly apiTokens: Table;
  readonly throttle: Table;
  readonly executions: Table;
  readonly blobs: Bucket;
  readonly signingSecret: Secret;
  readonly encryptionSecret: Secret;
  readonly secretArns: { readonly signing: string; readonly encryption: string };

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const table = (name: TableId): Table => engineTable(this, name, settings);
    this.tables = {
      stacks: table("stacks"),
      resources: table("resources"),
      syncPoints: table("syncPoints"),
      events: table("events"),
      softwareConfigs: table("softwareConfigs"),
      evidence: table("evidence"),
    };
    // Keep this logical id: it is that of earlier versions, so an existing stage keeps its table.
    this.testObjects = settings.testTypes ? table("fakeProvider") : null;
    this.apiTokens = smallTable(this, "ApiTokens", settings, true);
    const { stacks, resources, events, softwareConfigs } = this.tables;
    this.recovered = [stacks, resources, events, softwareConfigs, this.apiTokens];
    this.throttle = smallTable(this, "Throttle", settings, false);
    this.executions = smallTable(this, "Executions", settings, false);
    this.blobs = blobsBucket(this, settings);
    this.signingSecret = randomSecret(this, "SigningSecret", "signs agents' URLs", settings);
    this.encryptionSecret = randomSecret(
      this,
      "EncryptionSecret",
      "the encryption at rest is derived from it; never rotate it",
      settings,
    );
    this.secretArns = {
      signing: arnOf(this.signingSecret),
      encryption: arnOf(this.encryptionSecret),
    };
    Validations.of(this.encryptionSecret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: "Only this key opens the sealed fields of the tables, so a rotation would lose them.",
    });
  }

  restoredTableNames(): Readonly<Record<RestoredTable, string>> {
    const { stacks, resources, events, softwareConfigs } = this.tables;
    return {
      resources: resources.tableName,
      softwareConfigs: softwareConfigs.tableName,
      events: events.tableName,
      apiTokens: this.apiTokens.tableName,
      stacks: stacks.tableName,
    };
  }
}

/** A retained table could still be deleted by hand. */
const keeping = (settings: Settings) => ({
  removalPolicy: settings.removalPolicy,
  deletionProtection: isProtected(settings),
});

const engineTable = (scope: Construct, name: TableId, settings: Settings): Table => {
  const { partitionKey, sortKey, expires, streams, index } = TABLES[name];
  const table = new Table(scope, name.charAt(0).toUpperCase() + name.slice(1), {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: RECOVERED.includes(name) },
    ...keeping(settings),
    ...(expires ? { timeToLiveAttribute: TTL_ATTRIBUTE } : {}),
    ...(streams ? { stream: StreamViewType.NEW_AND_OLD_IMAGES } : {}),
  });
  if (index) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
      ...(index.sortKey && { sortKey: { name: index.sortKey, type: AttributeType.STRING } }),
      ...(index.projected
        ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.projected] }
        : { projectionType: ProjectionType.KEYS_ONLY }),
    });
  }
  if (!RECOVERED.includes(name)) acknowledgeNoRecovery(table);
  return table;
};

const smallTable = (
  scope: Construct,
  id: string,
  settings: Settings,
  isRecovered: boolean,
): Table => {
  const table = new Table(scope, id, {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isRecovered },
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...keeping(settings),
  });
  if (!isRecovered) acknowledgeNoRecovery(table);
  return table;
};

const acknowledgeNoRecovery = (table: Table): void =>
  Validations.of(table).acknowledge({
    id: "AwsSolutions-DDB3",
    reason:
      "Its items are short-lived. After a restore the sweeper resumes the stacks, and evidence gathers again.",
  });

const blobsBucket = (scope: Construct, { removalPolicy, emulator }: Settings): Bucket => {
  const bucket = new Bucket(scope, "Blobs", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy,
    // The AWS lane empties its bucket by name, which would leave versions behind.
    versioned: !emulator,
    lifecycleRules: [
      { noncurrentVersionExpiration: RECOVERY, expiredObjectDeleteMarker: true },
      // Uploads are sent directly to S3, so only S3 encrypts them, with the customer's key if there
      // is one. A visit deletes an upload when it records the result.
      {
        prefix: UPLOADS_PREFIX,
        expiration: UPLOADS_KEPT,
        noncurrentVersionExpiration: UPLOADS_KEPT,
      },
    ],
  });
  Validations.of(bucket).acknowledge({
    id: "AwsSolutions-S1",
    reason:
      "Only this stack's roles read it, and its objects are sealed, except uploads in transit. CloudTrail's data events are there for an audit.",
  });
  return bucket;
};

const randomSecret = (
  scope: Construct,
  id: string,
  description: string,
  { removalPolicy, secretReplicaRegions }: Settings,
): Secret =>
  new Secret(scope, id, {
    description: `Hearth: ${description}`,
    generateSecretString: { passwordLength: SECRET_CHARS, excludePunctuation: true },
    removalPolicy,
    replicaRegions: secretReplicaRegions.map((region) => ({ region })),
  });

/** A reference to the secret returns the ARN on AWS, but only the name on an emulator. */
const arnOf = (secret: Secret): string => {
  const { defaultChild } = secret.node;
  return defaultChild instanceof CfnSecret ? defaultChild.attrId : secret.secretArn;
};
