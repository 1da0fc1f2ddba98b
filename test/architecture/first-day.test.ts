/**
 * The first deployment in an account, judged by the services' documented rules: how much
 * concurrency Lambda lets an account reserve, and what CloudFormation keeps when a creation fails.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Match, Template } from "aws-cdk-lib/assertions";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { type Account, askAccount } from "../../infra/account.ts";
import { CREATING } from "../../infra/check-rights.ts";
import { fitToAccount } from "../../infra/fit-account.ts";
import { BadSettings, readSettings } from "../../infra/settings.ts";
import { openApp } from "./open-app.ts";
import { appWith, SYNTHESIS_MS_MAX } from "./synthesize.ts";

const NEW: Account = {
  region: "eu-west-1",
  concurrentExecutions: 10,
  unreserved: 10,
  deployed: null,
};

/** Ids of what stays in the account when CloudFormation deletes a stack whose creation failed. */
const leftBehind = (template: Template): readonly string[] => {
  const shape = z.object({
    DeletionPolicy: z.string().optional(),
    Properties: z.looseObject({ DeletionProtectionEnabled: z.boolean().optional() }).optional(),
  });
  const { Resources } = z
    .object({ Resources: z.record(z.string(), shape) })
    .parse(template.toJSON());
  return Object.entries(Resources)
    .filter(
      ([, { DeletionPolicy, Properties }]) =>
        DeletionPolicy === "Retain" || Properties?.DeletionProtectionEnabled === true,
    )
    .map(([id]) => id.replace(/[0-9A-F]{8}$/, ""));
};

const quotaOf = (quota: number) => ({ concurrentExecutions: quota, unreserved: quota });

const boundsShape = z.object({
  Properties: z.object({
    ReservedConcurrentExecutions: z.number().optional(),
    // Without a limit, a queue may use a thousand executions.
    ScalingConfig: z
      .object({ MaximumConcurrency: z.number() })
      .default({ MaximumConcurrency: 1_000 }),
  }),
});

const bounds = (template: Template) => {
  const propertiesOf = (type: string, Properties: object) =>
    Object.values(template.findResources(type, { Properties })).map(
      (one) => boundsShape.parse(one).Properties,
    );
  const fromQueue = { StartingPosition: Match.absent() };
  return {
    reserved: propertiesOf("AWS::Lambda::Function", {}).flatMap(
      ({ ReservedConcurrentExecutions: count }) => (count === undefined ? [] : [count]),
    ),
    queues: propertiesOf("AWS::Lambda::EventSourceMapping", fromQueue).map(
      ({ ScalingConfig }) => ScalingConfig.MaximumConcurrency,
    ),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe("a first deployment", { timeout: SYNTHESIS_MS_MAX }, () => {
  const first = appWith({ customerKey: "yes", backupPlan: 35 }, NEW).stack;

  it("leaves nothing in the way of the next one if it fails", () => {
    expect(first.terminationProtection).toBe(false);
    // The account has one role for the logs of all its APIs, so it must stay.
    const shared = ["ApiRestCloudWatchRole", "ApiRestAccount"];
    expect(leftBehind(Template.fromStack(first))).toEqual(shared);
  });

  it("reserves no executions where the account has none to reserve, and bounds every queue", () => {
    for (const concurrentExecutions of [10, 149, 150, 1_000, 10_000]) {
      const { stack } = appWith({}, { ...NEW, ...quotaOf(concurrentExecutions) });
      const { reserved, queues } = bounds(Template.fromStack(stack));
      expect(sum(reserved)).toBeLessThanOrEqual(Math.max(0, concurrentExecutions - 100));
      expect(queues.length).toBe(6);
      for (const most of queues) expect(most).toBe(Math.min(1_000, Math.max(2, most)));
      const least = 2 * queues.length;
      const taken = sum([...reserved, ...queues]);
      expect(taken, String(concurrentExecutions)).toBeLessThanOrEqual(
        Math.max(least, (concurrentExecutions * 4) / 5),
      );
    }
  });

  it("reserves what other functions of the account and its own former deployment leave", () => {
    const cases = [
      [100, null, []],
      [149, null, []],
      [150, null, [50]],
      // The stage's own reservation is not requested twice.
      [100, { ReservedExecutions: "50" }, [50]],
      [100, { ReservedExecutions: "0" }, []],
      [100, { Url: "https://a" }, [50]],
    ] as const;
    for (const [unreserved, deployed, expected] of cases) {
      const account = { ...NEW, ...quotaOf(1_000), unreserved, deployed };
      const template = Template.fromStack(appWith({}, account).stack);
      expect(bounds(template).reserved, `${unreserved}`).toEqual(expected);
      template.hasOutput("ReservedExecutions", { Value: String(expected[0] ?? 0) });
    }
  });

  it("gives Step Functions its right to logs before it waits for a function", () => {
    const policies = Object.values(Template.fromStack(first).findResources("AWS::IAM::Policy"));
    const delivering = policies
      .map((policy) => JSON.stringify(policy))
      .filter((text) => text.includes("logs:CreateLogDelivery"));
    expect(delivering.length).toBe(1);
    for (const policy of delivering) expect(policy).not.toContain("Function");
  });

  it("raises no alarm before its first round of the sweeper", () => {
    const treating = { MetricName: "Invocations", ComparisonOperator: "LessThanThreshold" };
    for (const [stack, TreatMissingData] of [
      [first, "missing"],
      [appWith().stack, "breaching"],
    ] as const) {
      const alarm = { ...treating, TreatMissingData };
      Template.fromStack(stack).hasResourceProperties("AWS::CloudWatch::Alarm", alarm);
    }
  });

  it("reserves nothing at all while the stage is paused, so no function runs", () => {
    const { reserved } = bounds(Template.fromStack(appWith({ paused: "yes" }, NEW).stack));
    expect(reserved).toEqual(Array.from({ length: 15 }, () => 0));
  });

  it("is refused before any call if it asks for more than the account has", () => {
    const complaint = (context: Readonly<Record<string, unknown>>): string => {
      try {
        fitToAccount(readSettings(openApp(context)), NEW);
      } catch (error) {
        if (error instanceof BadSettings) return error.message;
        throw error;
      }
      return "";
    };
    expect(complaint({ agentConcurrency: 50 })).toMatch(/^agentConcurrency: .* so 0 can be reserv/);
    expect(complaint({ lambdaConcurrency: 1_000 })).toMatch(/^lambdaConcurrency: .* at most 10 /);
    expect(complaint({ agentConcurrency: "none" })).toBe("");
    expect(complaint({ secretReplicaRegions: "us-east-1" })).toBe("");
    expect(complaint({ secretReplicaRegions: "us-east-1,eu-west-1" })).toMatch(
      /^secretReplicaRegions: .* in eu-west-1/,
    );
  });
});

it("gets provisioned pollers within the visits' share, and a budget, if it asks", () => {
  const quota = { ...NEW, ...quotaOf(1_000) };
  const alarmTopicArn = "arn:aws:sns:eu-west-1:111122223333:topic";
  for (const [visitPollers, MinimumPollers] of [
    [5, 5],
    [200, 50],
  ] as const) {
    const settings = { visitPollers, alarmTopicArn, dailyBudget: 20 };
    const template = Template.fromStack(appWith(settings, quota).stack);
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      ProvisionedPollerConfig: { MinimumPollers, MaximumPollers: 50 },
      ScalingConfig: Match.absent(),
    });
    template.hasResourceProperties("AWS::Budgets::Budget", {
      Budget: {
        TimeUnit: "DAILY",
        BudgetLimit: { Amount: 20, Unit: "USD" },
        CostFilters: Match.absent(),
      },
      NotificationsWithSubscribers: [
        { Subscribers: [{ SubscriptionType: "SNS", Address: alarmTopicArn }] },
      ],
    });
  }
  expect(() => appWith({ dailyBudget: 20 }, NEW)).toThrow("dailyBudget: it needs an alarmTopicArn");
  const north = { ...NEW, region: "eu-north-1" };
  expect(() => appWith({ dailyBudget: 20, alarmTopicArn }, north)).toThrow(
    "no budgets in eu-north-1",
  );
});

describe("a busy account", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("makes clients come again, since the gateway's own failures are 503 with Retry-After", () => {
    Template.fromStack(appWith().stack).hasResourceProperties("AWS::ApiGateway::GatewayResponse", {
      ResponseType: "DEFAULT_5XX",
      StatusCode: "503",
      ResponseParameters: { "gatewayresponse.header.Retry-After": "'5'" },
    });
  });
});

const stackXml = (status: string): string =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>Hearth-dev</StackName>
  <CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>${status}</StackStatus><Outputs>
  <member><OutputKey>Url</OutputKey><OutputValue>https://a</OutputValue></member></Outputs></member>
  </Stacks></DescribeStacksResult></DescribeStacksResponse>`;
const ABSENT = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
  <Message>Stack with id Hearth-dev does not exist</Message></Error></ErrorResponse>`;

describe("the question to an account", () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
    vi.unstubAllEnvs();
  });

  const serve = async (status: string | null): Promise<void> => {
    const server = createServer((request, response) => {
      if (request.url?.includes("account-settings")) {
        response.end(JSON.stringify({ AccountLimit: { ConcurrentExecutions: 10 } }));
      } else {
        response.writeHead(status === null ? 400 : 200, { "content-type": "text/xml" });
        response.end(status === null ? ABSENT : stackXml(status));
      }
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    closing.push(() => server.close());
    const { port } = z.custom<AddressInfo>().parse(server.address());
    vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${port}`);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  };

  it("tells a stage that has succeeded once from a new one and from a failed creation", async () => {
    for (const [status, deployed] of [
      [null, null],
      ["REVIEW_IN_PROGRESS", null],
      ["ROLLBACK_COMPLETE", null],
      ["CREATE_FAILED", null],
      ["CREATE_COMPLETE", { Url: "https://a" }],
      ["UPDATE_ROLLBACK_COMPLETE", { Url: "https://a" }],
    ] as const) {
      await serve(status);
      expect(await askAccount("Hearth-dev", NEW.region), String(status)).toEqual({
        ...NEW,
        deployed,
      });
    }
  });
});

it("is asked about the right to make each type of its template", () => {
  const { Resources } = z
    .object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) })
    .parse(Template.fromStack(appWith({}, NEW).stack).toJSON());
  const types = new Set(Object.values(Resources).map(({ Type }) => Type));
  expect(Object.keys(CREATING).sort()).toEqual([...types].sort());
});
