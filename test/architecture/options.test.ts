import { Validations } from "aws-cdk-lib";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { appWith, SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

const ALL = {
  customerKey: "yes",
  secretReplicaRegions: "eu-west-1,us-west-2",
  backupPlan: "90",
  tracing: "yes",
};
const KEY_ARN = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

let plain: Template;
let full: Template;
beforeAll(() => {
  plain = synthesize();
  full = synthesize(ALL);
}, SYNTHESIS_MS_MAX);

const resourceShape = z.object({ Properties: z.record(z.string(), z.unknown()) });
const propertiesOf = (template: Template, type: string) =>
  Object.values(template.findResources(type)).map((one) => resourceShape.parse(one).Properties);

const policyShape = z.object({
  Properties: z.object({
    PolicyDocument: z.object({
      Statement: z.array(
        z.object({ Action: z.union([z.string(), z.array(z.string())]), Resource: z.unknown() }),
      ),
    }),
  }),
});

const rights = (template: Template, service: string) =>
  Object.entries(template.findResources("AWS::IAM::Policy"))
    .filter(([id]) => /^Engine(?!Supervisor)[A-Za-z]+RoleDefaultPolicy/.test(id))
    .map(([id, policy]) => {
      const statements = policyShape.parse(policy).Properties.PolicyDocument.Statement;
      const own = statements.filter(({ Action }) => [Action].flat()[0]?.startsWith(service));
      return {
        name: /^Engine([A-Za-z]+?)Role/.exec(id)?.[1] ?? "",
        actions: own.flatMap(({ Action }) => Action).toSorted(),
        resources: own.flatMap(({ Resource }) => Resource),
      };
    });

describe("with all of them", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("the app keeps AWS's rules of good practice", () => {
    const { app } = appWith(ALL);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });
});

describe("without them", () => {
  it("nothing that they would pay for is there", () => {
    for (const type of ["AWS::KMS::Key", "AWS::Backup::BackupPlan"]) {
      plain.resourceCountIs(type, 0);
    }
    plain.allResourcesProperties("AWS::Lambda::Function", { TracingConfig: Match.absent() });
    plain.allResourcesProperties("AWS::SecretsManager::Secret", { ReplicaRegions: Match.absent() });
    expect(JSON.stringify(plain.toJSON())).not.toMatch(/kms:|xray:/);
  });
});

const STORES = {
  "AWS::DynamoDB::Table": (key: unknown) => ({
    SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: key },
  }),
  "AWS::S3::Bucket": (key: unknown) => ({
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms", KMSMasterKeyID: key },
        },
      ],
    },
  }),
  "AWS::SQS::Queue": (key: unknown) => ({ KmsMasterKeyId: key, SqsManagedSseEnabled: false }),
  "AWS::SecretsManager::Secret": (key: unknown) => ({ KmsKeyId: key }),
  "AWS::Logs::LogGroup": (key: unknown) => ({ KmsKeyId: key }),
};

describe("the customer's key", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("encrypts every table, queue, secret and log group, and the bucket", () => {
    const [keyId = ""] = Object.keys(full.findResources("AWS::KMS::Key"));
    for (const [type, encrypted] of Object.entries(STORES)) {
      full.allResourcesProperties(type, encrypted({ "Fn::GetAtt": [keyId, "Arn"] }));
    }
  });

  it("may be one that exists, and then none is made", () => {
    const template = synthesize({ kmsKeyArn: KEY_ARN });
    template.resourceCountIs("AWS::KMS::Key", 0);
    for (const [type, encrypted] of Object.entries(STORES)) {
      template.allResourcesProperties(type, encrypted(KEY_ARN));
    }
  });

  it("rotates, may be used by this account's logs, and stays with the data it opens", () => {
    full.hasResourceProperties("AWS::KMS::Key", { EnableKeyRotation: true });
    expect(JSON.stringify(full.findResources("AWS::KMS::Key"))).toContain(
      "kms:EncryptionContext:aws:logs:arn",
    );
    full.allResources("AWS::KMS::Key", { DeletionPolicy: "RetainExceptOnCreate" });
    synthesize({ ...ALL, removalPolicy: "destroy" }).allResources("AWS::KMS::Key", {
      DeletionPolicy: "Delete",
    });
  });

  it("encrypts for the functions that write, and only decrypts for those that read", () => {
    const [keyId = ""] = Object.keys(full.findResources("AWS::KMS::Key"));
    const found = rights(full, "kms:");
    expect(found.length).toBe(15);
    for (const { name, resources } of found) {
      expect(resources, name).toEqual([{ "Fn::GetAtt": [keyId, "Arn"] }]);
    }
    const reading = found.filter(({ actions }) => !actions.includes("kms:Encrypt"));
    expect(reading.map(({ name, actions }) => [name, actions])).toEqual([
      ["Authorizer", ["kms:Decrypt", "kms:DescribeKey"]],
      // The authorizer's settings are sealed too, and it reads nothing else.
      ["Console", ["kms:Decrypt", "kms:DescribeKey"]],
    ]);
  });
});

describe("the replicas of the secrets", () => {
  it("are made of both, in each region", () => {
    full.allResourcesProperties("AWS::SecretsManager::Secret", {
      ReplicaRegions: [{ Region: "eu-west-1" }, { Region: "us-west-2" }],
    });
  });
});

describe("the backup plan", () => {
  it("copies the recoverable tables and the bucket every day, and keeps the copies as long as it says", () => {
    full.hasResourceProperties("AWS::Backup::BackupPlan", {
      BackupPlan: {
        BackupPlanRule: [
          Match.objectLike({
            ScheduleExpression: "cron(30 2 * * ? *)",
            Lifecycle: { DeleteAfterDays: 90 },
          }),
        ],
      },
    });
    const selected = JSON.stringify(propertiesOf(full, "AWS::Backup::BackupSelection"));
    const recovered = full.findResources("AWS::DynamoDB::Table", {
      Properties: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    });
    const kept = [...Object.keys(recovered), ...Object.keys(full.findResources("AWS::S3::Bucket"))];
    expect(kept.length).toBe(6);
    expect(kept.filter((id) => !selected.includes(`"${id}"`))).toEqual([]);
  });

  it("keeps its vault when the stage goes, under a name that no later stage has", () => {
    full.allResources("AWS::Backup::BackupVault", {
      DeletionPolicy: "RetainExceptOnCreate",
      Properties: { BackupVaultName: Match.objectLike({ "Fn::Join": Match.anyValue() }) },
    });
  });
});

describe("tracing", () => {
  it("covers the API, every function and the executions, with the right to send traces", () => {
    full.allResourcesProperties("AWS::Lambda::Function", { TracingConfig: { Mode: "Active" } });
    full.hasResourceProperties("AWS::ApiGateway::Stage", { TracingEnabled: true });
    full.hasResourceProperties("AWS::StepFunctions::StateMachine", {
      TracingConfiguration: { Enabled: true },
    });
    const found = rights(full, "xray:");
    expect(found.length).toBe(15);
    for (const { name, actions } of found) {
      expect(actions, name).toEqual(["xray:PutTelemetryRecords", "xray:PutTraceSegments"]);
    }
  });
});
