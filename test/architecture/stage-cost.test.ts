import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { expect, it } from "vitest";
import * as z from "zod";
import {
  dayDollars,
  kmsDollars,
  metricDollars,
  metricsMost,
  restingDollars,
} from "../../tools/bench/cost/stage-cost.ts";
import { ROOT } from "./import-rules.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

const operations = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
const figures = readFileSync(join(ROOT, "docs/aws.md"), "utf8");

const countsOf = (template: Template) => {
  const count = (type: string, properties: object = {}) =>
    Object.keys(template.findResources(type, properties)).length;
  return {
    alarms: count("AWS::CloudWatch::Alarm"),
    secrets: count("AWS::SecretsManager::Secret"),
    keys: count("AWS::KMS::Key"),
    sources: count("AWS::Lambda::EventSourceMapping", {
      Properties: { StartingPosition: Match.absent() },
    }),
  };
};

const rowOf = (page: string, begin: string): readonly string[] => {
  const line = page.split("\n").find((one) => one.startsWith(`| ${begin}`));
  return (line ?? "").split("|").map((cell) => cell.trim());
};

it("at rest, by its parts", { timeout: SYNTHESIS_MS_MAX }, () => {
  const counts = countsOf(synthesize({ stage: "prod" }));
  expect(counts).toEqual({ alarms: 26, secrets: 2, keys: 0, sources: 6 });
  const cost = restingDollars(counts);
  for (const [begin, dollars] of [
    [`${counts.alarms} alarms`, cost.alarms],
    [`${counts.secrets} secrets`, cost.secrets],
    [`receives of ${counts.sources} queues`, cost.receives],
    ["the sweeper", cost.sweeper],
    ["all", cost.all],
  ] as const)
    expect(rowOf(operations, begin)[2], begin).toBe(dollars.toFixed(2));
  const sealed = restingDollars(countsOf(synthesize({ stage: "prod", customerKey: "yes" })));
  expect(sealed.all - cost.all).toBeCloseTo(1);
});

/** For each table, bucket and queue that its role names, a function makes its own calls to KMS. */
const sealedPairs = (template: Template) => {
  const pairs = { stored: 0, queues: 0 };
  const idsOf = (type: string) => Object.keys(template.findResources(type));
  const queues = new Set(idsOf("AWS::SQS::Queue"));
  const stored = new Set([...idsOf("AWS::DynamoDB::Table"), ...idsOf("AWS::S3::Bucket")]);
  for (const policy of Object.values(template.findResources("AWS::IAM::Policy"))) {
    const named = JSON.stringify(policy).matchAll(/\["(\w+)","Arn"\]/g);
    for (const id of new Set(Array.from(named, ([, name = ""]) => name))) {
      if (stored.has(id)) pairs.stored += 1;
      if (queues.has(id)) pairs.queues += 1;
    }
  }
  return pairs;
};

it("sealed, with the most calls of KMS", { timeout: SYNTHESIS_MS_MAX }, () => {
  const pairs = sealedPairs(synthesize({ stage: "prod", customerKey: "yes" }));
  expect(Math.min(pairs.stored, pairs.queues)).toBeGreaterThan(20);
  const dollars = kmsDollars(pairs).toFixed(2);
  expect(figures).toContain(`KMS is called for ${dollars} at most`);
  expect(operations).toContain(`up to ${dollars} for calls of KMS`);
});

it("busy, with the metrics that it may write", () => {
  const most = metricsMost();
  expect(figures).toContain(`${most} at most, for ${metricDollars(most).toFixed(2)} dollars`);
  expect(metricDollars(30)).toBeCloseTo(9);
  expect(metricDollars(40)).toBeCloseTo(12);
});

const methodShape = z.array(
  z.object({ ResourcePath: z.string(), ThrottlingRateLimit: z.number() }),
);

it("under a flood of strangers, at the rates of the template", {
  timeout: SYNTHESIS_MS_MAX,
}, () => {
  const [stage] = Object.values(
    synthesize({ stage: "prod" }).findResources("AWS::ApiGateway::Stage"),
  );
  const methods = methodShape.parse(stage?.Properties.MethodSettings);
  const rate = (path: RegExp): number =>
    methods
      .filter(({ ResourcePath }) => path.test(ResourcePath))
      .reduce((sum, one) => sum + one.ThrottlingRateLimit, 0);
  const floods = [
    ["the console's files", rate(/console/)],
    ["`GET /` and", rate(/^\/(?:~1v1)?$/)],
    ["invented agents' URLs", rate(/agent/)],
    ["invented URLs at the function URL", 500],
    ["invented tokens", rate(/\*/)],
  ] as const;
  for (const [begin, requests] of floods) {
    const [, , , million, day] = rowOf(operations, begin);
    expect(requests, begin).toBeGreaterThan(0);
    const dollars = dayDollars(requests, Number(million));
    // The page rounds to two digits.
    expect(Math.abs(dollars - Number(day)) / dollars, begin).toBeLessThan(0.02);
  }
});
