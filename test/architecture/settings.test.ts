import { describe, expect, it } from "vitest";
import { BadSettings, readSettings } from "../../infra/settings.ts";
import { openApp } from "./open-app.ts";

const read = (context: Readonly<Record<string, unknown>>) => readSettings(openApp(context));

const PLUG_IN = {
  secret: "arn:aws:secretsmanager:eu-west-1:111122223333:secret:files-AbCdEf",
  types: ["My::File"],
};
const KEY_ARN = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

const complaint = (context: Readonly<Record<string, unknown>>): string => {
  try {
    read(context);
  } catch (error) {
    if (error instanceof BadSettings) return error.message;
    throw error;
  }
  return "";
};

describe("an invalid setting", () => {
  it("is refused with its name and the valid values", () => {
    const lines = [
      [{ stage: "Not A Stage" }, "stage: lower-case letters, digits and hyphens"],
      [{ stage: "" }, "stage: lower-case"],
      [{ revision: "two words" }, "revision: letters, digits"],
      [{ logRetentionDays: "45" }, "logRetentionDays: one of 1, 3, 7, 14, 30, "],
      [{ logRetentionDays: "a month" }, "logRetentionDays: one of 1, 3, 7, 14, 30, "],
      [{ logRetentionDays: true }, "logRetentionDays: "],
      [{ removalPolicy: "keep" }, "removalPolicy: retain or destroy"],
      [{ rollout: "blue-green" }, "rollout: canary, at-once or in-place is expected"],
      [{ rollout: "in-place" }, "rollout: in-place would delete the agents' URL"],
      [{ formerKmsKeyArns: "alias/mine" }, "formerKmsKeyArns: ARNs of KMS keys are expected"],
      [{ emulator: "true" }, "emulator: yes or no"],
      [{ authorizer: "none" }, "authorizer: gateway or function"],
      [{ alarmTopicArn: "topic" }, "alarmTopicArn: the ARN of an SNS topic"],
      [{ agentUrl: "https://{api}.hearth.test" }, "agentUrl: rest is expected, or a URL"],
      [{ agentConcurrency: "0" }, "agentConcurrency: none or a number from 1 to 1000"],
      [{ customerKey: "aws" }, "customerKey: yes or no"],
      [{ kmsKeyArn: "alias/mine" }, "kmsKeyArn: the ARN of a KMS key"],
      [{ customerKey: "yes", kmsKeyArn: KEY_ARN }, "customerKey: kmsKeyArn names a key already"],
      [{ secretReplicaRegions: "Ireland" }, "secretReplicaRegions: regions are expected"],
      [{ secretReplicaRegions: "eu-west-1,eu-west-1" }, "secretReplicaRegions: regions are"],
      [{ backupPlan: "daily" }, "backupPlan: a whole number from 1 to 36500"],
      [{ backupPlan: 0 }, "backupPlan: a whole number from 1 to 36500"],
      [{ tracing: "on" }, "tracing: yes or no"],
      [{ testTypes: "on" }, "testTypes: yes or no"],
      [{ tenantRate: "0" }, "tenantRate: a whole number from 1 to 500"],
      [{ tenantRate: "501" }, "tenantRate: a whole number from 1 to 500"],
      [{ apiRate: "100001" }, "apiRate: a whole number from 1 to 100000"],
      [{ apiRate: "100" }, "tenantRate: less than apiRate (100) is expected"],
      [{ tenantRates: { demo: 501 } }, "tenantRates demo: a whole number from 1 to 500"],
      [{ apiRate: "400", tenantRates: { demo: 400 } }, "tenantRates demo: less than apiRate (400)"],
      [{ tenantRates: "demo" }, "tenantRates: a JSON object is expected"],
      [{ tenantRates: '{"demo": "7"}' }, "tenantRates demo: a whole number from 1 to 500"],
      [{ tenantRates: { "../demo": 7 } }, "tenantRates ../demo: the name of a project is expected"],
      [{ tenantRates: { ["d".repeat(200)]: 7 } }, "tenantRates: more than 200 characters"],
      [{ plugIns: "nobody" }, "plugIns: a JSON object"],
      [{ plugIns: { "files.example.org": PLUG_IN } }, "plugIns files.example.org: the URL of"],
      [{ plugIns: { "http://files.example.org": PLUG_IN } }, "plugIns: https://… is expected"],
      [{ iamTenants: "nobody" }, "iamTenants: a JSON object"],
      [
        { iamTenants: { "arn:aws:iam::1:root": "a" } },
        "iamTenants: arn:aws:iam::1:root is neither",
      ],
    ] as const;
    for (const [context, line] of lines) {
      expect(complaint(context)).toContain(line);
      expect(complaint(context)).not.toContain("\n");
    }
  });

  it("is reported together with all others", () => {
    const both = complaint({ stage: "Prod", removalPolicy: "keep" });
    expect(both).toMatch(/^stage: .*\nremovalPolicy: .*$/);
  });

  it("may also have a misspelled name, because the default would silently apply", () => {
    expect(complaint({ removalpolicy: "destroy" })).toMatch(
      /^removalpolicy: there is no such setting; there are stage, .*removalPolicy/,
    );
    expect(complaint({ "aws:cdk:enable-path-metadata": true, "@aws-cdk/core:x": true })).toBe("");
  });
});

describe("an API function that asks the authorizer itself", () => {
  const operator = { "arn:aws:iam::111122223333:role/deployer": "demo" };

  it("is refused in an account, where the gateway would be open", () => {
    expect(read({}).authorizer).toBe("gateway");
    expect(complaint({ authorizer: "function" })).toMatch(
      /^authorizer: function leaves API Gateway open, so it needs emulator=yes/,
    );
    expect(read({ authorizer: "function", emulator: "yes" }).authorizer).toBe("function");
  });

  it("is refused with IAM principals, whose signatures such a gateway does not check", () => {
    const both = { authorizer: "function", emulator: "yes", iamTenants: operator };
    expect(complaint(both)).toBe("iamTenants: with authorizer=function nothing checks signatures");
  });
});

describe("the public URL", () => {
  it("is a base for paths: its trailing slash is removed", () => {
    const { publicUrl } = read({ publicUrl: "https://{api}.hearth.test/{stage}/" });
    expect(publicUrl).toBe("https://{api}.hearth.test/{stage}");
    expect(read({}).publicUrl).toBe(undefined);
  });

  it("is refused if agents could not use it", () => {
    for (const publicUrl of [
      "hearth.test",
      "foo",
      "ftp://hearth.test",
      "https://hearth.test/{Stage}",
      "https://hearth.test/{api",
      "https://hearth.test/?a=b",
      "https://user:word@hearth.test",
    ]) {
      expect(complaint({ publicUrl }), publicUrl).toMatch(/^publicUrl: a URL is expected/);
    }
  });
});
