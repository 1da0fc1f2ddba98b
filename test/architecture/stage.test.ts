/** What a stage leaves its operator: what it prints at its end, and what stays when it goes. */
import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { HearthStack } from "../../infra/hearth-stack.ts";
import { readSettings } from "../../infra/settings.ts";

const SYNTHESIS_MS_MAX = 120_000;
const MANUAL = new URL("../../docs/operations.md", import.meta.url);

const synthesize = (context: Readonly<Record<string, unknown>>): Template => {
  const app = new App({ context: { "aws:cdk:bundling-stacks": [], ...context } });
  return Template.fromStack(new HearthStack(app, readSettings(app)));
};

describe("the outputs of a stage", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("are what docs/operations.md names, and nothing else", () => {
    const iamTenants = { "arn:aws:iam::111122223333:role/deployer": "demo" };
    const outputs = Object.keys(synthesize({ iamTenants }).findOutputs("*"));
    const named = readFileSync(MANUAL, "utf8").matchAll(/<([A-Z][A-Za-z]+)>/g);
    const names = new Set(Array.from(named, ([, name = ""]) => name));
    expect([...names].toSorted()).toEqual(outputs.toSorted());
  });
});

const alarmShape = z.object({ Properties: z.object({ AlarmDescription: z.string() }) });

describe("an alarm of a stage", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("says which row of docs/operations.md tells what to do, and each has its row", () => {
    const rows = readFileSync(MANUAL, "utf8")
      .split("\n")
      .filter((line) => /^\| `[A-Z]/.test(line))
      .map((line) => line.split("|")[1] ?? "")
      .flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = ""]) => name));
    const alarms = Object.values(synthesize({}).findResources("AWS::CloudWatch::Alarm"));
    const named = alarms.map((alarm) => {
      const { AlarmDescription } = alarmShape.parse(alarm).Properties;
      return /: .*\. What to do: docs\/operations\.md, alarm (\w+)$/.exec(AlarmDescription)?.[1];
    });
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => name === undefined || !rows.includes(name))).toEqual([]);
  });
});

describe("a stage that goes with all it has", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("leaves the account's one role for API Gateway's logs, by which the other stages write theirs", () => {
    const template = synthesize({ stage: "trial", removalPolicy: "destroy" });
    const kept = ["AWS::IAM::Role", "AWS::ApiGateway::Account", "AWS::DynamoDB::Table"].flatMap(
      (type) => Object.keys(template.findResources(type, { DeletionPolicy: "Retain" })),
    );
    expect(kept.map((id) => id.replace(/[0-9A-F]{8}$/, ""))).toEqual([
      "ApiRestCloudWatchRole",
      "ApiRestAccount",
    ]);
  });
});
