/**
 * What AWS itself refuses or does and emulators do not. It is read from the template, because
 * nothing here deploys to an account.
 */
import { Match, Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readSettings } from "../../infra/settings.ts";
import { openApp } from "./open-app.ts";
import { appWith, SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

let plain: Template | null = null;
const plainApp = (): Template => {
  plain ??= synthesize();
  return plain;
};

const nullsIn = (value: unknown, path = ""): readonly string[] => {
  if (value === null) return [path];
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => nullsIn(inner, `${path}/${name}`));
};

const mappingShape = z.object({ Properties: z.object({ FunctionName: z.unknown() }) });

describe("CloudFormation", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("contains no null, which CloudFormation refuses", () => {
    const iamTenants = { "arn:aws:iam::111122223333:role/deployer": "demo" };
    for (const context of [{}, { iamTenants }, { removalPolicy: "destroy" }]) {
      expect(nullsIn(synthesize(context).toJSON())).toEqual([]);
    }
  });
});

describe("a region", { timeout: SYNTHESIS_MS_MAX }, () => {
  const at = (region: string) => {
    const quota = { concurrentExecutions: 1_000, unreserved: 1_000 };
    return { region, ...quota, deployed: null };
  };

  it("of another partition has ARNs of its own, since the template writes none out", () => {
    expect(JSON.stringify(plainApp().toJSON())).not.toContain("arn:aws:");
  });

  it("without function URLs gets none, and agents poll the API there", () => {
    for (const region of ["eu-central-2", "us-gov-west-1"]) {
      const template = Template.fromStack(appWith({}, at(region)).stack);
      template.resourceCountIs("AWS::Lambda::Url", 0);
      const context = { agentUrl: "https://agents.test" };
      expect(() => appWith(context, at(region))).toThrow(
        `agentUrl: ${region} has no function URLs`,
      );
    }
    Template.fromStack(appWith({}, at("eu-west-1")).stack).resourceCountIs("AWS::Lambda::Url", 1);
  });

  it("has none for a stage that never had one and does without", () => {
    const rest = { agentUrl: "rest" };
    for (const [deployed, count] of [
      [null, 0],
      [{ FunctionUrl: "none" }, 0],
      [{ FunctionUrl: "https://a1b2.lambda-url.eu-west-1.on.aws/" }, 1],
      [{ Url: "https://a" }, 1],
    ] as const) {
      const { stack } = appWith(rest, { ...at("eu-west-1"), deployed });
      Template.fromStack(stack).resourceCountIs("AWS::Lambda::Url", count);
    }
  });

  it("may know no tags of dashboards, so there are none", () => {
    plainApp().allResourcesProperties("AWS::CloudWatch::Dashboard", { Tags: Match.absent() });
  });
});

describe("Lambda", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("lets visits send visits: Lambda would stop the seventeenth in a row as an accidental loop", () => {
    const allowed = plainApp().findResources("AWS::Lambda::Function", {
      Properties: { RecursiveLoop: "Allow" },
    });
    const fed = plainApp().findResources("AWS::Lambda::EventSourceMapping", {
      Properties: { EventSourceArn: Match.objectLike({ "Fn::GetAtt": Match.arrayWith(["Arn"]) }) },
    });
    const names = Object.values(fed).map((mapping) => {
      const { FunctionName } = mappingShape.parse(mapping).Properties;
      return /"Engine([A-Za-z]+?)FunctionAliaslive/.exec(JSON.stringify(FunctionName))?.[1];
    });
    expect(new Set(names).size).toBe(3);
    const looping = Object.keys(allowed).map((id) => /^Engine([A-Za-z]+?)Function/.exec(id)?.[1]);
    expect(new Set(looping)).toEqual(new Set(names));
  });
});

const REGION = "ap-southeast-1";
const ACCOUNT = "111122223333";
const SUFFIX = "ABCDEFGHIJKLM";

const variablesShape = z.object({
  Properties: z.object({
    Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
  }),
});
const joinShape = z.object({ "Fn::Join": z.tuple([z.string(), z.array(z.unknown())]) });
const refShape = z.object({ Ref: z.string() });
/** Only the host of the agents' function URL is part of another text. */
const selectShape = z.object({ "Fn::Select": z.array(z.unknown()) });
const FUNCTION_URL_HOST = `${"u".repeat(32)}.lambda-url.${REGION}.on.aws`;
const arnShape = z.object({ "Fn::GetAtt": z.array(z.string()) });

/**
 * Texts get the length that they have in an account, where CloudFormation builds names from the
 * names of the stack and the resource.
 */
const deployed = (value: unknown, stackName: string): string => {
  if (typeof value === "string") return value;
  const { data: join } = joinShape.safeParse(value);
  if (join) return join["Fn::Join"][1].map((part) => deployed(part, stackName)).join("");
  if (selectShape.safeParse(value).success) return FUNCTION_URL_HOST;
  const { data: arn } = arnShape.safeParse(value);
  const [resource = "", attribute] = arn?.["Fn::GetAtt"] ?? [];
  if (attribute === "QueueName") return `${stackName}-${resource}-${SUFFIX}`.slice(0, 80);
  if (arn) {
    return `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${resource}-${SUFFIX}-abcdef`;
  }
  const { Ref } = refShape.parse(value);
  const name = `${stackName}-${Ref}-${SUFFIX}`;
  if (Ref.startsWith("AWS::")) return REGION;
  return Ref.startsWith("Queues")
    ? `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name.slice(0, 80)}`
    : name;
};

const mostOf = (
  setting: string,
  entry: (at: number) => readonly [name: string, value: string | number | object],
  others: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string | number | object>> => {
  const most: Record<string, string | number | object> = {};
  for (let at = 0; ; at++) {
    const [name, value] = entry(at);
    try {
      readSettings(openApp({ ...others, [setting]: { ...most, [name]: value } }));
    } catch {
      return most;
    }
    most[name] = value;
  }
};

const ENVIRONMENT_BYTES_MAX = 4_096;

/** The template with these settings must fit, and one with another entry must be refused. */
const expectRoom = (context: Readonly<Record<string, unknown>>): void => {
  const stage = "s".repeat(20);
  const template = synthesize({ stage, revision: "r".repeat(64), ...context });
  for (const [id, one] of Object.entries(template.findResources("AWS::Lambda::Function"))) {
    const { Variables } = variablesShape.parse(one).Properties.Environment;
    const resolved = Object.entries(Variables).map(([name, value]) => [
      name,
      deployed(value, `Hearth-${stage}`),
    ]);
    const bytes = JSON.stringify(Object.fromEntries(resolved)).length;
    expect(bytes, id).toBeLessThanOrEqual(ENVIRONMENT_BYTES_MAX);
  }
};

const plugIn = (at: number): readonly [string, object] => [
  `https://provider-${at}.example.org`,
  {
    secret: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:provider-${at}-abcdef`,
    types: [`My::Type${at}`],
  },
];

describe("the environments of functions", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("stay within Lambda's 4 KB with the longest names and the most principals", () => {
    const role = `arn:aws:iam::${ACCOUNT}:role/deployer`;
    const principal = (at: number) => [`${role}-${at}`, `project-${at}`] as const;
    const iamTenants = mostOf("iamTenants", principal);
    expect(Object.keys(iamTenants).length).toBeGreaterThan(19);
    const tenantRates = mostOf("tenantRates", (at) => [`project-${at}`, 500]);
    expect(Object.keys(tenantRates).length).toBeGreaterThan(9);
    expectRoom({ iamTenants, tenantRates });
    const plugIns = mostOf("plugIns", plugIn);
    expect(Object.keys(plugIns).length).toBeGreaterThan(3);
    const awsRoles = mostOf("awsRoles", (at) => [
      `project-${at}`,
      { role_arn: `${role}-${at}`, region: REGION, external_id: `external-${at}` },
    ]);
    expect(Object.keys(awsRoles).length).toBeGreaterThan(6);
    const fewer = mostOf("iamTenants", principal, { plugIns });
    expect(Object.keys(fewer).length).toBeGreaterThan(5);
    const secret = (at: number) =>
      [
        `project-${at}`,
        `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:openstack-${at}-abcdef`,
      ] as const;
    const own = mostOf("openStackSecrets", secret, { awsRoles });
    expectRoom({ iamTenants: fewer, tenantRates, plugIns, awsRoles, openStackSecrets: own });
    const openStackSecrets = mostOf("openStackSecrets", secret);
    expect(Object.keys(openStackSecrets).length).toBeGreaterThan(9);
    expectRoom({ openStackSecrets });
  });
});

describe("CloudWatch", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("has a dashboard name for each region, because an account's regions share the names", () => {
    const [page] = Object.values(plainApp().findResources("AWS::CloudWatch::Dashboard"));
    expect(page).toMatchObject({
      Properties: { DashboardName: { "Fn::Join": ["", ["hearth-dev-", { Ref: "AWS::Region" }]] } },
    });
  });
});

const alarmShape = z.object({
  Properties: z.object({ Dimensions: z.array(z.object({ Name: z.string() })) }),
});

describe("API Gateway", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("passes bodies as bytes, because a compressed answer would otherwise arrive as base64", () => {
    plainApp().hasResourceProperties("AWS::ApiGateway::RestApi", { BinaryMediaTypes: ["*/*"] });
  });

  it("counts what an alarm reads, which is free, and not each method's requests, which cost money", () => {
    plainApp().allResourcesProperties("AWS::ApiGateway::Stage", {
      MethodSettings: Array.from({ length: 8 }, () => Match.objectLike({ MetricsEnabled: false })),
    });
    const alarms = plainApp().findResources("AWS::CloudWatch::Alarm", {
      Properties: { Namespace: "AWS/ApiGateway" },
    });
    const dimensions = Object.values(alarms).map((alarm) =>
      alarmShape.parse(alarm).Properties.Dimensions.map(({ Name }) => Name),
    );
    expect(dimensions).toEqual([["ApiName"]]);
  });
});
