import { readFileSync } from "node:fs";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { appWith, SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

const MANUAL = new URL("../../docs/operations.md", import.meta.url);
const ALARMS = new URL("../../docs/reference/alarms.md", import.meta.url);

describe("the outputs of a stage", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("are those that docs/operations.md names", () => {
    const iamTenants = { "arn:aws:iam::111122223333:role/deployer": "demo" };
    const former = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    const keys = { customerKey: "yes", formerKmsKeyArns: former };
    const outputs = Object.keys(
      synthesize({ iamTenants, paused: "yes", ...keys }).findOutputs("*"),
    );
    const named = readFileSync(MANUAL, "utf8").matchAll(/<([A-Z][A-Za-z]+)>/g);
    const names = new Set(Array.from(named, ([, name = ""]) => name));
    expect([...names].toSorted()).toEqual(outputs.toSorted());
  });
});

const alarmShape = z.object({ Properties: z.object({ AlarmDescription: z.string() }) });

describe("an alarm of a stage", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("names its row in docs/reference/alarms.md, and each has its row", () => {
    const found = readFileSync(ALARMS, "utf8").matchAll(/^\| `(\w+)`/gm);
    const rows = Array.from(found, ([, name = ""]) => name);
    const alarms = Object.values(synthesize({}).findResources("AWS::CloudWatch::Alarm"));
    const named = alarms.map((alarm) => {
      const { AlarmDescription } = alarmShape.parse(alarm).Properties;
      return /: .*\. What to do: docs\/reference\/alarms\.md, alarm (\w+)$/.exec(
        AlarmDescription,
      )?.[1];
    });
    expect(named.length).toBeGreaterThan(10);
    expect(rows.toSorted()).toEqual(named.toSorted());
  });
});

describe("the protection of a stage", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("refuses the deletion of the stack and of each table, unless everything may go", () => {
    for (const [removalPolicy, isKept] of [
      ["retain", true],
      ["destroy", false],
    ] as const) {
      const stack = appWith({ removalPolicy }).stack;
      expect(stack.terminationProtection, removalPolicy).toBe(isKept);
      Template.fromStack(stack).allResourcesProperties("AWS::DynamoDB::Table", {
        DeletionProtectionEnabled: isKept,
      });
    }
  });
});

describe("the removal of a stage", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("keeps the account's role for API Gateway's logs, which the other stages need", () => {
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
