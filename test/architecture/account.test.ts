/** What AWS itself refuses or does, and no emulator: read from the template, since nothing is deployed to an account here. */
import { App } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { HearthStack } from "../../infra/hearth-stack.ts";
import { readSettings } from "../../infra/settings.ts";

/** Of a machine that is busy with other tests. */
const SYNTHESIS_MS_MAX = 120_000;

const synthesize = (context: Readonly<Record<string, unknown>> = {}): Template => {
  const app = new App({ context: { "aws:cdk:bundling-stacks": [], ...context } });
  return Template.fromStack(new HearthStack(app, readSettings(app)));
};

/** The paths to them. */
const nullsIn = (value: unknown, path = ""): readonly string[] => {
  if (value === null) return [path];
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => nullsIn(inner, `${path}/${name}`));
};

const mappingShape = z.object({
  Properties: z.object({ FunctionName: z.object({ Ref: z.string() }) }),
});

describe("CloudFormation", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("is given no null, for which it refuses the whole template", () => {
    const iamTenants = { "arn:aws:iam::111122223333:role/deployer": "demo" };
    for (const context of [{}, { iamTenants }, { removalPolicy: "destroy" }]) {
      expect(nullsIn(synthesize(context).toJSON())).toEqual([]);
    }
  });
});

describe("Lambda", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("lets visits send visits: it would take the seventeenth in a row for a loop, and its message for a dead letter", () => {
    const allowed = synthesize().findResources("AWS::Lambda::Function", {
      Properties: { RecursiveLoop: "Allow" },
    });
    const fed = synthesize().findResources("AWS::Lambda::EventSourceMapping", {
      Properties: { EventSourceArn: Match.objectLike({ "Fn::GetAtt": Match.arrayWith(["Arn"]) }) },
    });
    const names = new Set(
      Object.values(fed).map((mapping) => mappingShape.parse(mapping).Properties.FunctionName.Ref),
    );
    expect(names.size).toBe(3);
    expect(new Set(Object.keys(allowed))).toEqual(names);
  });
});

describe("CloudWatch", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("finds no second dashboard of one name in an account, whose regions share them", () => {
    const [page] = Object.values(synthesize().findResources("AWS::CloudWatch::Dashboard"));
    expect(page).toMatchObject({
      Properties: { DashboardName: { "Fn::Join": ["", ["hearth-dev-", { Ref: "AWS::Region" }]] } },
    });
  });
});
