import { Stack, Validations } from "aws-cdk-lib";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks } from "cdk-nag";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { METRICS } from "#functions/meter.ts";
import { TABLES } from "#lib/adapters/aws/tables.ts";
import { STREAM_RETRIES_MAX } from "../../infra/feeds.ts";
import { openApp } from "./open-app.ts";
import { functionPolicy, statementsOf, statementsOfFunction } from "./policies.ts";
import { appWith, SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

let template: Template;
beforeAll(() => {
  template = synthesize();
}, SYNTHESIS_MS_MAX);

describe("the deployed system", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("is the same each time it is synthesized", () => {
    expect(synthesize().toJSON()).toEqual(template.toJSON());
  });

  it("keeps AWS's rules of good practice, with a reason for each exception", () => {
    const asksItself = { emulator: "yes", authorizer: "function" };
    for (const context of [{}, { emulator: "yes" }, asksItself]) {
      const { app } = appWith(context);
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
      expect(() => app.synth(), JSON.stringify(context)).not.toThrow();
    }
  });

  it("would fail the check with a bucket that breaks all of them", () => {
    const bare = openApp();
    new Bucket(new Stack(bare, "Bare"), "Bucket");
    Validations.of(bare).addPlugins(new AwsSolutionsChecks(bare));
    expect(() => bare.synth()).toThrow("AwsSolutions-S10");
    process.exitCode = 0;
  });
});

describe("its tables", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("have the keys, the expiry and the streams that the adapters rely on", () => {
    const tables = synthesize({ testTypes: "yes" }).findResources("AWS::DynamoDB::Table");
    for (const [name, { partitionKey, sortKey, expires, streams, index }] of Object.entries(
      TABLES,
    )) {
      const logicalId = `Data${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const found = Object.entries(tables).find(([id]) =>
        new RegExp(`^${logicalId}[0-9A-F]{8}$`).test(id),
      );
      const { KeySchema, TimeToLiveSpecification, StreamSpecification, GlobalSecondaryIndexes } =
        tableShape.parse(found?.[1]).Properties;
      expect(KeySchema.map(({ AttributeName }) => AttributeName)).toEqual([partitionKey, sortKey]);
      expect(TimeToLiveSpecification !== undefined, name).toBe(expires);
      expect(StreamSpecification?.StreamViewType, name).toBe(
        streams ? "NEW_AND_OLD_IMAGES" : undefined,
      );
      const indexes = GlobalSecondaryIndexes?.map(({ IndexName, KeySchema: keys, Projection }) => [
        IndexName,
        keys.map(({ AttributeName }) => AttributeName),
        Projection.NonKeyAttributes,
      ]);
      const keys = index && [index.partitionKey, ...(index.sortKey ? [index.sortKey] : [])];
      expect(indexes).toEqual(index ? [[index.name, keys, index.projected]] : undefined);
    }
  });

  it("are recoverable to any second if their state could not be made again", () => {
    const recovered = template.findResources("AWS::DynamoDB::Table", {
      Properties: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    });
    const names = Object.keys(recovered).map((id) => id.replace(/^Data|[0-9A-F]{8}$/g, ""));
    expect(names.toSorted()).toEqual([
      "ApiTokens",
      "Events",
      "Resources",
      "SoftwareConfigs",
      "Stacks",
    ]);
  });

  it("and the secrets and the bucket outlive the stack, unless the settings say otherwise", () => {
    for (const type of ["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SecretsManager::Secret"]) {
      template.allResources(type, { DeletionPolicy: "RetainExceptOnCreate" });
      synthesize({ removalPolicy: "destroy" }).allResources(type, {
        DeletionPolicy: "Delete",
      });
    }
  });
});

describe("its bucket", () => {
  it("is recoverable as far back as the tables, and loses deleted objects after that", () => {
    template.hasResourceProperties("AWS::S3::Bucket", {
      VersioningConfiguration: { Status: "Enabled" },
      LifecycleConfiguration: {
        Rules: [
          Match.objectLike({ NoncurrentVersionExpiration: { NoncurrentDays: 35 } }),
          Match.objectLike({
            Prefix: "uploads/",
            ExpirationInDays: 1,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          }),
        ],
      },
    });
  });
});

const keyShape = z.object({ AttributeName: z.string() });
const tableShape = z.object({
  Properties: z.object({
    KeySchema: z.array(keyShape),
    TimeToLiveSpecification: z.unknown().optional(),
    StreamSpecification: z.object({ StreamViewType: z.string() }).optional(),
    GlobalSecondaryIndexes: z
      .array(
        z.object({
          IndexName: z.string(),
          KeySchema: z.array(keyShape),
          Projection: z.object({ NonKeyAttributes: z.array(z.string()).optional() }),
        }),
      )
      .optional(),
  }),
});

describe("its functions", () => {
  it("run on arm64 and the newest Node, each with its own role and log group", () => {
    const functions = Object.values(template.findResources("AWS::Lambda::Function"));
    expect(functions.length).toBe(15);
    template.allResourcesProperties("AWS::Lambda::Function", {
      Architectures: ["arm64"],
      Runtime: "nodejs24.x",
    });
    const shape = z.object({
      Properties: z.object({ Role: z.unknown(), LoggingConfig: z.unknown() }),
    });
    const parsed = functions.map((lambda) => shape.parse(lambda).Properties);
    expect(new Set(parsed.map(({ Role }) => JSON.stringify(Role))).size).toBe(functions.length);
    expect(new Set(parsed.map((one) => JSON.stringify(one.LoggingConfig))).size).toBe(
      functions.length,
    );
  });

  it("may do nothing to every resource, except list streams and deliver logs", () => {
    const wide = statementsOf(template).filter(({ Resource }) =>
      [Resource].flat().some((resource) => resource === "*"),
    );
    const actions = wide.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => !action.startsWith("logs:"))).toEqual([
      "dynamodb:ListStreams",
      "dynamodb:ListStreams",
    ]);
    const all = statementsOf(template).flatMap(({ Action }) => Action);
    expect(all.filter((action) => action.includes("*"))).toEqual([]);
  });

  it("that strangers reach have no more rights than they need", () => {
    const metadata = functionPolicy(template, "Metadata");
    expect(metadata).not.toMatch(/PutItem|DeleteItem|SendMessage|PutObject/);
    const polls = functionPolicy(template, "AgentPolls");
    expect(polls).not.toMatch(/PutItem|DeleteItem|SendMessage|PutObject|DataStacks|DataResources/);
    for (const name of ["Metadata", "AgentPolls", "Signal"]) {
      const updating = statementsOf(template).filter(
        ({ id, Action }) =>
          id.startsWith(`Engine${name}Role`) && [Action].flat().includes("dynamodb:UpdateItem"),
      );
      const tables = JSON.stringify(updating).match(/Data[A-Z][A-Za-z]+?(?=[0-9A-F]{8})/g) ?? [];
      expect(new Set(tables), name).toEqual(
        new Set(["DataEvidence", ...(name === "Signal" ? ["DataResources"] : [])]),
      );
    }
    expect(metadata).not.toMatch(/DataStacks|DataResources/);
    const signal = functionPolicy(template, "Signal");
    expect(signal).not.toMatch(/PutItem|DeleteItem|DeleteObject/);
    const api = functionPolicy(template, "Api");
    expect(api).toMatch(/sqs:GetQueueAttributes/);
    expect(api).not.toMatch(/sqs:ReceiveMessage|sqs:DeleteMessage|sqs:PurgeQueue/);
    const counting = statementsOf(template).filter(({ Resource }) =>
      JSON.stringify(Resource).includes("DataThrottle"),
    );
    expect(counting.map(({ id, Action }) => [id.replace(/Role.*/, ""), Action])).toEqual([
      ["EngineApi", "dynamodb:UpdateItem"],
    ]);
    const ofConsole = statementsOfFunction(template, "Console").flatMap(({ Action }) => Action);
    expect(ofConsole).toEqual(["logs:CreateLogStream", "logs:PutLogEvents"]);
    const authorizer = functionPolicy(template, "Authorizer");
    expect(authorizer).toMatch(/DataApiTokens/);
    expect(authorizer).not.toMatch(/SecretsManager|secretsmanager|sqs|s3/);
  });

  it("read a secret only if they sign, verify, decrypt or rotate", () => {
    const readers = statementsOf(template)
      .filter(({ Action }) => [Action].flat().includes("secretsmanager:GetSecretValue"))
      .map(({ id }) => id.replace(/^Engine|RoleDefaultPolicy[0-9A-F]{8}$/g, ""));
    expect(readers.toSorted()).toEqual([
      "AgentPolls",
      "Api",
      "CheckResource",
      "DeadLetter",
      "Deadline",
      "Metadata",
      "PrepareTraversal",
      "RotateSigningKey",
      "Signal",
      "Sweep",
    ]);
  });
});

describe("its queues and streams", () => {
  it("report each failed record separately", () => {
    template.allResourcesProperties("AWS::Lambda::EventSourceMapping", {
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
  });

  it("lose no message: each has a dead-letter queue, and that has one too", () => {
    template.resourcePropertiesCountIs(
      "AWS::SQS::Queue",
      { RedrivePolicy: Match.objectLike({ maxReceiveCount: 10 }) },
      6,
    );
    template.allResourcesProperties("AWS::SQS::Queue", { MessageRetentionPeriod: 1_209_600 });
  });

  it("feed the supervisor and the events with every change of a stack", () => {
    const streams = template.findResources("AWS::Lambda::EventSourceMapping", {
      Properties: { StartingPosition: "TRIM_HORIZON" },
    });
    expect(Object.keys(streams).length).toBe(3);
  });

  it("gather records and polls for a second, as the cost model counts, and nothing else", () => {
    const windows = Object.values(template.findResources("AWS::Lambda::EventSourceMapping")).map(
      ({ Properties: { StartingPosition, MaximumBatchingWindowInSeconds, EventSourceArn } }) => ({
        gathers:
          StartingPosition !== undefined ||
          /QueuesPoll[0-9A-F]+"/.test(JSON.stringify(EventSourceArn)),
        seconds: MaximumBatchingWindowInSeconds ?? 0,
      }),
    );
    expect(windows.filter(({ gathers }) => gathers).length).toBe(4);
    for (const { gathers, seconds } of windows) expect(seconds).toBe(gathers ? 1 : 0);
  });

  it("set a record aside that always fails, long before those behind it are too old", () => {
    const streams = Object.values(
      template.findResources("AWS::Lambda::EventSourceMapping", {
        Properties: { StartingPosition: "TRIM_HORIZON" },
      }),
    );
    for (const stream of streams) {
      expect(stream).toMatchObject({
        Properties: {
          BisectBatchOnFunctionError: true,
          MaximumRetryAttempts: STREAM_RETRIES_MAX,
          MaximumRecordAgeInSeconds: 16 * 3_600,
          DestinationConfig: {
            OnFailure: {
              Destination: {
                "Fn::GetAtt": [expect.stringMatching(/^QueuesStreamFailures/), "Arn"],
              },
            },
          },
        },
      });
    }
  });

  it("raise an alarm if either consumer of the streams falls behind", () => {
    const late = template.findResources("AWS::CloudWatch::Alarm", {
      Properties: { MetricName: "IteratorAge", Threshold: 120_000 },
    });
    const consumers = Object.values(late).map(
      (alarm) => /"Engine(\w+?)Function/.exec(JSON.stringify(alarm))?.[1],
    );
    expect(consumers.toSorted()).toEqual(["Events", "SuperviseStacks"]);
  });
});

describe("its metrics", () => {
  it("come from the functions themselves, but for one that a filter reads out of the access log", () => {
    const [filter, ...others] = Object.values(template.findResources("AWS::Logs::MetricFilter"));
    const [stage] = Object.values(template.findResources("AWS::ApiGateway::Stage"));
    expect(others).toEqual([]);
    const { Format } = z.object({ Format: z.string() }).parse(stage?.Properties.AccessLogSetting);
    const read = JSON.stringify(filter?.Properties).matchAll(/\$\.(\w+)/g);
    const members = [...read].map(([, member = ""]) => member);
    expect(new Set(members)).toEqual(new Set(["errorType", "stage"]));
    for (const member of members) expect(JSON.parse(Format)).toHaveProperty(member);
  });

  it("are all shown on the dashboard", () => {
    const page = JSON.stringify(template.findResources("AWS::CloudWatch::Dashboard"));
    const absent = Object.keys(METRICS).filter((name) => !page.includes(name));
    expect(absent).toEqual([]);
  });
});

describe("its maintenance", () => {
  it("is called by services for this account only", () => {
    const open = Object.entries(template.findResources("AWS::Lambda::Permission")).filter(
      ([, { Properties }]) =>
        Properties.SourceArn === undefined &&
        Properties.SourceAccount === undefined &&
        Properties.FunctionUrlAuthType === undefined &&
        Properties.InvokedViaFunctionUrl === undefined,
    );
    expect(open.map(([id]) => id)).toEqual([]);
    template.hasResourceProperties("AWS::Lambda::Permission", {
      Principal: "secretsmanager.amazonaws.com",
      SourceAccount: { Ref: "AWS::AccountId" },
    });
  });

  it("rotates the signing key, and never the encryption key", () => {
    template.resourceCountIs("AWS::SecretsManager::RotationSchedule", 1);
    expect(
      JSON.stringify(template.findResources("AWS::SecretsManager::RotationSchedule")),
    ).toContain("DataSigningSecret");
  });

  it("sweeps every minute, and waits for each operation's own deadline", () => {
    template.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression: "rate(1 minute)" });
    template.hasResourceProperties("AWS::StepFunctions::StateMachine", {
      StateMachineType: "STANDARD",
      DefinitionString: Match.absent(),
      Definition: Match.objectLike({
        States: { AwaitEnd: Match.objectLike({ TimeoutSecondsPath: "$.timeoutSeconds" }) },
      }),
    });
  });

  it("tags every resource with the stage", () => {
    template.allResourcesProperties("AWS::DynamoDB::Table", {
      Tags: Match.arrayWith([{ Key: "hearth:stage", Value: "dev" }]),
    });
  });
});
