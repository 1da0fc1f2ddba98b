/**
 * Resources that hold data, or whose identity is known outside, keep it under every setting: a
 * change of a setting must neither delete nor replace them.
 */
import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Account } from "../../infra/account.ts";
import { fitToAccount } from "../../infra/fit-account.ts";
import { readSettings, settingTexts } from "../../infra/settings.ts";
import { openApp } from "./open-app.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

type Context = Readonly<Record<string, unknown>>;

const keyArn = (id: number) =>
  `arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-12345678900${id}`;
const SECRET = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:files-AbCdEf";
const PLUG_IN = { "https://files.example.org": { secret: SECRET, types: ["My::File"] } };
const ROLE = { role_arn: "arn:aws:iam::111122223333:role/a", region: "eu-west-1" };

const isOdd = (bits: number): boolean => bits.toString(2).replaceAll("0", "").length % 2 === 1;

/** One value of each setting that is not its default. A later one replaces an earlier one. */
const CHANGES: readonly Context[] = [
  { publicUrl: "https://hearth.test" },
  { agentUrl: "https://agents.test" },
  { agentUrl: "rest" },
  { rollout: "at-once", revision: "r2", paused: "yes" },
  { customerKey: "yes" },
  { customerKey: "no", kmsKeyArn: keyArn(1) },
  { backupPlan: 35 },
  { tracing: "yes" },
  { iamTenants: { "arn:aws:iam::111122223333:role/deployer": "demo" } },
  { secretReplicaRegions: "eu-central-1", formerKmsKeyArns: keyArn(2) },
  { removalPolicy: "destroy" },
  { lambdaConcurrency: 1_000, agentConcurrency: 7, visitPollers: 5 },
  { alarmTopicArn: "arn:aws:sns:eu-west-1:111122223333:topic", testTypes: "yes", dailyBudget: 9 },
  {
    plugIns: PLUG_IN,
    awsRoles: { demo: { ...ROLE, external_id: "demo-7f" } },
    openStackSecrets: { demo: SECRET },
  },
  {
    logRetentionDays: 7,
    retentionDays: 7,
    eventsPerStackMax: 7,
    apiRate: 700,
    tenantRate: 7,
    tenantRates: { demo: 8 },
  },
];

/**
 * Sixteen combinations in which any two changes occur together, apart and not at all: an orthogonal
 * array, by the parity of the bits that a row and a change have in common.
 */
const ROWS: readonly Context[] = Array.from({ length: CHANGES.length + 1 }, (_, row) =>
  Object.assign({}, ...CHANGES.filter((_change, at) => isOdd(row & (at + 1)))),
);

const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApiGateway::RestApi": [],
  "AWS::ApiGateway::Stage": ["RestApiId", "StageName"],
  "AWS::Backup::BackupVault": ["BackupVaultName", "EncryptionKeyArn"],
  "AWS::DynamoDB::Table": ["TableName", "KeySchema", "StreamSpecification"],
  "AWS::Lambda::Alias": ["FunctionName", "Name"],
  "AWS::Lambda::EventSourceMapping": ["EventSourceArn", "StartingPosition"],
  "AWS::Lambda::Url": ["TargetFunctionArn", "Qualifier"],
  "AWS::Logs::LogGroup": ["LogGroupName"],
  "AWS::S3::Bucket": ["BucketName"],
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::SecretsManager::Secret": ["Name", "GenerateSecretString"],
  "AWS::StepFunctions::StateMachine": ["StateMachineName", "StateMachineType"],
};

/**
 * The ids of 0.1.0, as its app makes them for the stage `prod`, and of the vault that came later. A
 * stage that loses one of them loses its data or its address, or reads a stream from its beginning.
 * Only the table of the test types was removed (ADR 54).
 */
const RELEASED = `
  ApiRestDeploymentStageprodE136C09A
  DataStacks6E28AB79 DataResources66AFE59F DataSyncPoints078876EF DataEventsB3DAF25C
  DataSoftwareConfigs7155E6DA DataEvidence63ECFDDD DataApiTokensEF8CF12F DataThrottle4361C267
  DataExecutionsAFA4343B DataBlobsA9860EC7 DataSigningSecret57086D25 DataEncryptionSecret0355DA96
  QueuesGivenUp1C6DAFF2 QueuesStreamFailures18E92E11 QueuesPrepareDeadLetterCC30F655
  QueuesCheckDeadLetter44FCB891 QueuesPollDeadLetterF5063437 QueuesPrepareB7EC5FB7
  QueuesCheck854B3F0B QueuesPoll64A3AA34 ApiAccessLogs50B185DB ApiRest4DEC74FE
  EngineAgentPollsLogs3B6F2507 EngineAgentPollsFunctionAliasliveA998175A
  EngineAgentPollsFunctionAliasliveFunctionUrlA54E7978 EngineAwaitEndLogs5FD30A93
  EngineAwaitEndFunctionAliaslive5A6A01DC EngineDeadlineLogs97E022FF
  EngineDeadlineFunctionAliaslive17B6ACB2 EngineSupervisorLogsFD9C8703
  EngineSupervisorStateMachine151B5DD1 EngineApiLogs98F5022C EngineApiFunctionAliasliveD6F077CA
  EngineMetadataLogs07B71CC6 EngineMetadataFunctionAliasliveE3844B71 EngineSignalLogsABF1EA5E
  EngineSignalFunctionAliaslive286BBCB4 EngineAuthorizerLogsAF75D937
  EngineAuthorizerFunctionAliaslive867F1D43 EnginePrepareTraversalLogsE61D31CA
  EnginePrepareTraversalFunctionAliaslive755546C5
  EnginePrepareTraversalFunctionAliasliveSqsEventSourceHearthprodQueuesPrepare1DE6061EE78AF33D
  EngineCheckResourceLogsD2F61AFF EngineCheckResourceFunctionAliaslive9607F044
  EngineCheckResourceFunctionAliasliveSqsEventSourceHearthprodQueuesCheck6AC0148E7BBEDABE
  EngineCheckResourceFunctionAliasliveSqsEventSourceHearthprodQueuesPoll9418A61BFD1FF816
  EngineDeadLetterLogs712BD513 EngineDeadLetterFunctionAliaslive67EA6637
  EngineDeadLetterFunctionAliasliveSqsEventSourceHearthprodQueuesPrepareDeadLetter3AB64FA7399CC809
  EngineDeadLetterFunctionAliasliveSqsEventSourceHearthprodQueuesCheckDeadLetterB0377F4E27762C24
  EngineDeadLetterFunctionAliasliveSqsEventSourceHearthprodQueuesPollDeadLetterACE24C78D30DD9AA
  EngineEventsLogsB06B9C90 EngineEventsFunctionAliaslive7AEEC515
  EngineEventsFunctionAliasliveStacksStream66F84484
  EngineEventsFunctionAliasliveResourcesStream8520E1B5 EngineSweepLogs77233B64
  EngineSweepFunctionAliaslive04DF285E EngineSuperviseStacksLogs83EFE3C1
  EngineSuperviseStacksFunctionAliaslive00E4A8F2
  EngineSuperviseStacksFunctionAliasliveStacksStreamE8B62299 EngineRotateSigningKeyLogs0C7C8B92
  EngineRotateSigningKeyFunctionAliaslive636CA619 BackupVaultADF21B19
`;

const identities = (template: Template): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(IDENTITY).flatMap(([type, names]) =>
      Object.entries(template.findResources(type)).map(([id, found]) => {
        const { Properties = {} } = z
          .object({ Properties: z.record(z.string(), z.unknown()).optional() })
          .parse(found);
        return [id, names.map((name) => Properties[name] ?? null)];
      }),
    ),
  );

describe("what the outside knows", { timeout: SYNTHESIS_MS_MAX }, () => {
  let plain: Readonly<Record<string, unknown>>;
  beforeAll(() => {
    plain = identities(synthesize());
  }, SYNTHESIS_MS_MAX);

  it("has the ids of a release", () => {
    const prod = Object.keys(identities(synthesize({ stage: "prod" })));
    expect(prod).toEqual(expect.arrayContaining(RELEASED.trim().split(/\s+/)));
    // With other settings CloudFormation would generate another secret, and the sealed data would
    // be lost.
    const made = { ExcludePunctuation: true, PasswordLength: 64 };
    expect(plain).toMatchObject({ DataEncryptionSecret0355DA96: [null, made] });
  });

  it.each(ROWS)("keeps its identity in row %# of the changes", (context) => {
    expect(identities(synthesize(context))).toMatchObject(plain);
  });

  it("is tried with every setting of an account", () => {
    const tried = new Set(CHANGES.flatMap((change) => Object.keys(change)));
    const left = settingTexts().flatMap(({ name }) => (tried.has(name) ? [] : [name]));
    expect(left).toEqual(["stage", "emulator", "cloudControlUrl", "authorizer"]);
  });
});

describe("a key that has sealed something", () => {
  const [own, other] = [keyArn(1), keyArn(2)];
  const cases: readonly [Account["deployed"], Context, string | null][] = [
    [null, {}, null],
    [{}, { customerKey: "yes" }, null],
    [{ CustomerKeyArn: own }, { customerKey: "yes" }, null],
    [{ CustomerKeyArn: own }, {}, own],
    [{ CustomerKeyArn: own }, { kmsKeyArn: other }, own],
    [{ CustomerKeyArn: own }, { kmsKeyArn: own }, null],
    [{ CustomerKeyArn: own }, { formerKmsKeyArns: own }, null],
    [{ KmsKeyArns: own }, { customerKey: "yes" }, own],
    [{ KmsKeyArns: `${own},${other}` }, { kmsKeyArn: own }, other],
    [{ KmsKeyArns: own }, { kmsKeyArn: other, formerKmsKeyArns: [own] }, null],
  ];
  it.each(cases)("of %j is not left out by %j", (deployed, context, missing) => {
    const fit = () =>
      fitToAccount(readSettings(openApp(context)), {
        region: "eu-west-1",
        concurrentExecutions: 1_000,
        unreserved: 1_000,
        deployed,
      });
    if (missing === null) expect(fit).not.toThrow();
    else expect(fit).toThrow(`formerKmsKeyArns: the stage has stored data under ${missing}`);
  });

  it("stays readable to every function, under a new key", () => {
    const template = synthesize({ kmsKeyArn: own, formerKmsKeyArns: other });
    const policies = Object.values(template.findResources("AWS::IAM::Policy")).map((one) =>
      JSON.stringify(one),
    );
    const opening = policies.filter((one) => one.includes("kms:Decrypt"));
    expect(opening.length).toBe(15);
    for (const policy of opening) expect(policy).toContain(other);
  });
});
