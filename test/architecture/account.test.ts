/** What AWS itself refuses or does, and no emulator: read from the template, since nothing is deployed to an account here. */
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
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

describe("CloudFormation", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("is given no null, for which it refuses the whole template", () => {
    const iamTenants = { "arn:aws:iam::111122223333:role/deployer": "demo" };
    for (const context of [{}, { iamTenants }, { removalPolicy: "destroy" }]) {
      expect(nullsIn(synthesize(context).toJSON())).toEqual([]);
    }
  });
});
