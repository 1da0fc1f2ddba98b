import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

let template: Template;
beforeAll(() => {
  template = synthesize();
}, SYNTHESIS_MS_MAX);

const mappingShape = z.object({
  Properties: z.object({
    EventSourceArn: z.unknown(),
    FunctionName: z.unknown(),
    FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }).optional(),
  }),
});

const filtersOf = (table: string, fed: string): readonly unknown[] | undefined => {
  const mappings = Object.values(
    template.findResources("AWS::Lambda::EventSourceMapping", {
      Properties: { StartingPosition: "TRIM_HORIZON" },
    }),
  ).map((mapping) => mappingShape.parse(mapping).Properties);
  const mapping = mappings.find(
    ({ EventSourceArn, FunctionName }) =>
      JSON.stringify(EventSourceArn).includes(`Data${table}`) &&
      JSON.stringify(FunctionName).includes(`Engine${fed}Function`),
  );
  expect(mapping, `${table} feeds ${fed}`).toBeDefined();
  return mapping?.FilterCriteria?.Filters.map(({ Pattern }) => JSON.parse(Pattern));
};

const IS_STACK = { dynamodb: { NewImage: { statusVersion: { N: [{ exists: true }] } } } };

it("the events function hears of every removed row, and of removed graphs that had large values", () => {
  expect(filtersOf("Resources", "Events")).toBeUndefined();
  expect(filtersOf("Stacks", "Events")).toEqual([
    IS_STACK,
    { eventName: ["REMOVE"], dynamodb: { OldImage: { spilled: { S: [{ exists: true }] } } } },
  ]);
  expect(filtersOf("Stacks", "SuperviseStacks")).toEqual([IS_STACK]);
});

const policyShape = z.object({
  Properties: z.object({
    PolicyDocument: z.object({
      Statement: z.array(
        z.object({ Action: z.union([z.string(), z.array(z.string())]), Resource: z.unknown() }),
      ),
    }),
  }),
});

const actionsOn = (fed: string, resource: string): readonly string[] =>
  Object.entries(template.findResources("AWS::IAM::Policy"))
    .filter(([id]) => id.startsWith(`Engine${fed}Role`))
    .flatMap(([, policy]) => policyShape.parse(policy).Properties.PolicyDocument.Statement)
    .filter(({ Resource }) => JSON.stringify(Resource).includes(`"Data${resource}`))
    .flatMap(({ Action }) => Action);

it("the events function may see that an item is gone, and list and delete its values", () => {
  for (const table of ["Stacks", "Resources"])
    expect(actionsOn("Events", table)).toContain("dynamodb:GetItem");
  const onBucket = actionsOn("Events", "Blobs");
  expect(onBucket).toEqual(expect.arrayContaining(["s3:ListBucket", "s3:DeleteObject"]));
  expect(onBucket).not.toContain("s3:PutObject");
});

it("the functions that replace or delete items of SoftwareConfigs may delete their values", () => {
  for (const writer of ["Api", "CheckResource", "DeadLetter"]) {
    expect(actionsOn(writer, "SoftwareConfigs")).toContain("dynamodb:DeleteItem");
    expect(actionsOn(writer, "Blobs")).toContain("s3:DeleteObject");
  }
});
