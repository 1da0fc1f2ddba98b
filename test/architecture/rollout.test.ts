import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { CANARIES } from "../../infra/rollout.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

let template: Template;
beforeAll(() => {
  template = synthesize();
}, SYNTHESIS_MS_MAX);

const idsOf = (type: string): readonly string[] => Object.keys(template.findResources(type));

/** `EngineCheckResourceFunctionAliaslive1A2B3C4D` becomes CheckResource. */
const functionOf = (aliasId: string): string =>
  aliasId.replace(/^Engine|FunctionAliaslive[0-9A-F]{8}$/g, "");

const CALLERS = {
  "AWS::Lambda::EventSourceMapping": ["FunctionName"],
  "AWS::Lambda::Permission": ["FunctionName"],
  "AWS::ApiGateway::Method": ["Integration"],
  "AWS::ApiGateway::Authorizer": ["AuthorizerUri"],
  "AWS::Events::Rule": ["Targets"],
  "AWS::StepFunctions::StateMachine": ["Definition"],
  "AWS::SecretsManager::RotationSchedule": ["RotationLambdaARN"],
} as const;

const resourceShape = z.object({ Properties: z.record(z.string(), z.unknown()) });
const aliasShape = z.object({
  Properties: z.object({
    Name: z.literal("live"),
    FunctionName: z.object({ Ref: z.string() }),
    FunctionVersion: z.object({ "Fn::GetAtt": z.tuple([z.string(), z.literal("Version")]) }),
  }),
});

const calledBy = (type: string, members: readonly string[]): readonly string[] =>
  Object.values(template.findResources(type)).map((resource) => {
    const { Properties } = resourceShape.parse(resource);
    return JSON.stringify([type, ...members.map((member) => Properties[member])]);
  });

describe("a function's versions", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("are published, and the alias `live` names one of each function", () => {
    const aliases = Object.values(template.findResources("AWS::Lambda::Alias")).map(
      (alias) => aliasShape.parse(alias).Properties,
    );
    const functions = aliases.map(({ FunctionName }) => FunctionName.Ref);
    expect(functions.toSorted()).toEqual(idsOf("AWS::Lambda::Function").toSorted());
    const versions = aliases.map(({ FunctionVersion }) => FunctionVersion["Fn::GetAtt"][0]);
    expect(versions.toSorted()).toEqual(idsOf("AWS::Lambda::Version").toSorted());
  });

  it("go once they are replaced, because an account's storage for code is limited", () => {
    for (const context of [{}, { removalPolicy: "destroy" }]) {
      synthesize(context).allResources("AWS::Lambda::Version", {
        DeletionPolicy: Match.absent(),
        UpdateReplacePolicy: Match.absent(),
      });
    }
  });

  it("change with the revision, so that a deployment of the same code is a new version", () => {
    const next = synthesize({ revision: "next" }).findResources("AWS::Lambda::Version");
    const kept = Object.keys(next).filter((id) => idsOf("AWS::Lambda::Version").includes(id));
    const withoutRevision = ["Authorizer", "AwaitEnd", "Console", "Events", "RotateSigningKey"];
    const names = kept.map((id) => /^Engine([A-Za-z]+?)Function/.exec(id)?.[1]);
    expect(names.toSorted()).toEqual([...withoutRevision, "SuperviseStacks"]);
  });
});

describe("a caller", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("calls the alias, and never the newest code", () => {
    const naming = (texts: readonly string[], type: string): readonly string[] =>
      idsOf(type).filter((id) => texts.some((text) => text.includes(`"${id}"`)));
    const texts = Object.entries(CALLERS).flatMap(([type, members]) => calledBy(type, members));
    expect(naming(texts, "AWS::Lambda::Function")).toEqual([]);
    expect(naming(texts, "AWS::Lambda::Version")).toEqual([]);
    expect(naming(texts, "AWS::Lambda::Alias")).toEqual(idsOf("AWS::Lambda::Alias"));
    // A function URL names the function, and the alias in a separate property.
    template.allResourcesProperties("AWS::Lambda::Url", { Qualifier: "live" });
  });

  it("of Step Functions has the right to call the alias", () => {
    const policies = Object.entries(template.findResources("AWS::IAM::Policy"))
      .filter(([id]) => id.startsWith("EngineSupervisorRole"))
      .map(([, policy]) => JSON.stringify(policy));
    expect(policies.length).toBe(1);
    for (const name of ["AwaitEnd", "Deadline"]) {
      expect(policies[0]).toMatch(new RegExp(`"Ref":"Engine${name}FunctionAliaslive[0-9A-F]{8}"`));
    }
  });
});

const groupShape = z.object({
  Properties: z.object({
    DeploymentConfigName: z.string(),
    AlarmConfiguration: z.object({
      Enabled: z.literal(true),
      Alarms: z.array(z.object({ Name: z.object({ Ref: z.string() }) })),
    }),
    AutoRollbackConfiguration: z.object({ Enabled: z.literal(true), Events: z.array(z.string()) }),
  }),
});
const updatedShape = z.object({
  UpdatePolicy: z.object({
    CodeDeployLambdaAliasUpdate: z.object({ DeploymentGroupName: z.object({ Ref: z.string() }) }),
  }),
});

describe("the canary", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("is a tenth of the calls for five minutes, and an alarm takes it back", () => {
    const groups = Object.values(template.findResources("AWS::CodeDeploy::DeploymentGroup"));
    expect(groups.length).toBe(CANARIES.length);
    for (const group of groups) {
      const { DeploymentConfigName, AlarmConfiguration, AutoRollbackConfiguration } =
        groupShape.parse(group).Properties;
      expect(DeploymentConfigName).toBe("CodeDeployDefault.LambdaCanary10Percent5Minutes");
      expect(AlarmConfiguration.Alarms.length).toBeGreaterThan(0);
      expect(AutoRollbackConfiguration.Events).toContain("DEPLOYMENT_STOP_ON_ALARM");
    }
  });

  it("moves the aliases of the functions that have one, and no others", () => {
    const aliases = Object.entries(template.findResources("AWS::Lambda::Alias"));
    const moved = aliases.filter(([, alias]) => updatedShape.safeParse(alias).success);
    const names = moved.map(([id]) => functionOf(id));
    expect(names.toSorted()).toEqual([
      "AgentPolls",
      "Api",
      "Authorizer",
      "CheckResource",
      "Events",
      "Metadata",
      "PrepareTraversal",
      "Signal",
      "SuperviseStacks",
    ]);
    const groups = moved.map(
      ([, alias]) =>
        updatedShape.parse(alias).UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref,
    );
    expect(new Set(groups).size).toBe(moved.length);
  });

  it("watches no alarm that counts a 503, which is the fault of what Hearth calls", () => {
    const counting = template.findResources("AWS::CloudWatch::Alarm", {
      Properties: { MetricName: "5XXError" },
    });
    const [unavailable = ""] = Object.keys(counting);
    expect(unavailable).toMatch(/^AlarmsApiUnavailable/);
    const groups = template.findResources("AWS::CodeDeploy::DeploymentGroup");
    expect(JSON.stringify(groups)).not.toContain(unavailable);
    expect(JSON.stringify(groups)).toContain("AlarmsApiFailing");
  });

  it("watches no alarm on a queue's content, which would stop the deployment of the repair", () => {
    const alarms = template.findResources("AWS::CloudWatch::Alarm", {
      Properties: { Namespace: "AWS/SQS" },
    });
    const watched = Object.values(template.findResources("AWS::CodeDeploy::DeploymentGroup"))
      .map((group) => groupShape.parse(group).Properties.AlarmConfiguration.Alarms)
      .flatMap((named) => named.map(({ Name }) => Name.Ref));
    expect(Object.keys(alarms).length).toBeGreaterThan(5);
    expect(watched.filter((id) => id in alarms)).toEqual([]);
  });
});

describe("the setting rollout", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("at-once moves the aliases without a canary, for a repair while an alarm is on", () => {
    const atOnce = synthesize({ rollout: "at-once" });
    atOnce.resourceCountIs("AWS::CodeDeploy::DeploymentGroup", 0);
    atOnce.allResources("AWS::Lambda::Alias", { UpdatePolicy: Match.absent() });
    atOnce.resourceCountIs("AWS::Lambda::Alias", idsOf("AWS::Lambda::Alias").length);
  });

  it("is in-place on emulators, unless it says otherwise: one of them cannot move an alias", () => {
    const types = ["AWS::Lambda::Alias", "AWS::Lambda::Version", "AWS::CodeDeploy::Application"];
    const inPlace = synthesize({ emulator: "yes" });
    for (const type of types) inPlace.resourceCountIs(type, 0);
    const atOnce = synthesize({ emulator: "yes", rollout: "at-once" });
    atOnce.resourceCountIs("AWS::Lambda::Alias", idsOf("AWS::Lambda::Alias").length);
  });
});
