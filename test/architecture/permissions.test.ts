/** What the functions may do, compared with what their handlers need. */
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { HearthStack } from "../../infra/hearth-stack.ts";
import { readSettings } from "../../infra/settings.ts";

const SYNTHESIS_MS_MAX = 120_000;

const policyShape = z.object({
  Properties: z.object({
    PolicyDocument: z.object({
      Statement: z.array(
        z.object({ Action: z.union([z.string(), z.array(z.string())]), Resource: z.unknown() }),
      ),
    }),
  }),
});

let template: Template;
beforeAll(() => {
  const app = new App({ context: { "aws:cdk:bundling-stacks": [] } });
  template = Template.fromStack(new HearthStack(app, readSettings(app)));
}, SYNTHESIS_MS_MAX);

/** Lines such as `dynamodb:GetItem Stacks`. */
const onTables = (name: string): readonly string[] =>
  Object.entries(template.findResources("AWS::IAM::Policy"))
    .filter(([id]) => id.startsWith(`Engine${name}Role`))
    .flatMap(([, policy]) => policyShape.parse(policy).Properties.PolicyDocument.Statement)
    .flatMap(({ Action, Resource }) =>
      [Resource].flat().flatMap((resource) => {
        const table = /"Data([A-Za-z]+?)[0-9A-F]{8}"/.exec(JSON.stringify(resource))?.[1] ?? "";
        return [Action].flat().map((action) => `${action} ${table}`);
      }),
    )
    .filter((right) => right.startsWith("dynamodb:"))
    .toSorted();

describe("the dead letters' function", () => {
  it("has all rights of a visit's operation: it repeats a provider's call after a worker died", () => {
    const isOfOperations = (right: string): boolean => !right.endsWith(" SyncPoints");
    const ofVisits = onTables("CheckResource").filter(isOfOperations);
    expect(ofVisits).toContain("dynamodb:PutItem FakeProvider");
    expect(onTables("DeadLetter").filter(isOfOperations)).toEqual(ofVisits);
  });
});

describe("the fake provider", () => {
  it("deletes nothing, so no function may delete its objects", () => {
    const deleting = ["CheckResource", "DeadLetter", "Api", "Sweep"].flatMap((name) =>
      onTables(name).filter((right) => right === "dynamodb:DeleteItem FakeProvider"),
    );
    expect(deleting).toEqual([]);
  });
});
