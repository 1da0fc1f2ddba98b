/**
 * The statements of docs/aws-assumptions.md about the services, checked on the synthesized
 * template. A mistake would otherwise show only in an account.
 */
import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { FUNCTION_SIZES } from "../../infra/function-sizes.ts";
import { statementsOf } from "./policies.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

let template: Template;
beforeAll(() => {
  template = synthesize({});
}, SYNTHESIS_MS_MAX);

const resourceShape = z.object({
  Properties: z.record(z.string(), z.unknown()),
  DependsOn: z.array(z.string()).default([]),
});

const resources = (type: string) =>
  Object.entries(template.findResources(type)).map(([id, one]) => ({
    id,
    ...resourceShape.parse(one),
  }));

const statementsWith = (action: string) =>
  statementsOf(template).filter(({ Action }) => [Action].flat().includes(action));

const actionsOf = (policy: string) =>
  statementsOf(template)
    .filter(({ id }) => id === policy)
    .flatMap(({ Action }) => Action);

const named = (value: unknown, pattern: RegExp): readonly string[] =>
  [...JSON.stringify(value).matchAll(pattern)].map(([, name = ""]) => name);

describe("API Gateway", () => {
  it("gets an authorizer without a cache, since its identity source is empty", () => {
    template.allResourcesProperties("AWS::ApiGateway::Authorizer", {
      Type: "REQUEST",
      AuthorizerResultTtlInSeconds: 0,
    });
    for (const { Properties } of resources("AWS::ApiGateway::Authorizer"))
      expect(Properties["IdentitySource"] ?? "").toBe("");
  });

  it("gets the request's id for the header of each of its own answers", () => {
    const answers = resources("AWS::ApiGateway::GatewayResponse");
    expect(answers.length).toBeGreaterThan(5);
    for (const { id, Properties } of answers)
      expect(JSON.stringify(Properties["ResponseParameters"]), id).toMatch(
        /"gatewayresponse\.header\.x-openstack-request-id":"context\.requestId"/i,
      );
  });
});

describe("IAM", () => {
  it("lets each reader of objects list the bucket, so a missing one is 404", () => {
    const readers = new Set(statementsWith("s3:GetObject").map(({ id }) => id));
    expect(readers.size).toBeGreaterThan(3);
    for (const id of readers) expect(actionsOf(id), id).toContain("s3:ListBucket");
  });

  it("gets no action of a batch of messages, which it does not know", () => {
    const actions = statementsOf(template).flatMap(({ Action }) => Action);
    expect(actions).toContain("sqs:SendMessage");
    expect(actions.filter((action) => /^sqs:.*Batch$/.test(action))).toEqual([]);
  });

  it("allows the success of a task on the machine, and lines on the streams of a group", () => {
    const [success, ...others] = statementsWith("states:SendTaskSuccess").map(({ Resource }) =>
      JSON.stringify(Resource),
    );
    for (const one of [success, ...others]) expect(one).toMatch(/StateMachine[0-9A-F]{8}/);
    const lines = statementsWith("logs:PutLogEvents");
    expect(lines.length).toBe(Object.keys(FUNCTION_SIZES).length);
    for (const { Resource } of lines)
      expect(Resource).toEqual({ "Fn::GetAtt": [expect.stringMatching(/Logs/), "Arn"] });
  });
});

const sources = () =>
  resources("AWS::Lambda::EventSourceMapping").map(({ id, Properties }) => ({
    id,
    isStream: Properties["StartingPosition"] !== undefined,
    from: named(Properties["EventSourceArn"], /\["(\w+)",/g)[0] ?? "",
    failures: named(Properties["DestinationConfig"] ?? null, /\["(\w+)",/g)[0] ?? "",
    function: named(Properties["FunctionName"], /"(Engine\w+?Function)Alias/g)[0] ?? "",
  }));

const policyOf = (name: string): string =>
  statementsOf(template).find(({ id }) => id.startsWith(`${name.replace(/Function$/, "Role")}Def`))
    ?.id ?? "";

describe("a source of a function", () => {
  it("is made after the function's role may read it, and write what failed", () => {
    expect(sources().length).toBe(9);
    for (const { id, from, failures, isStream, function: name } of sources()) {
      const policy = policyOf(name);
      const text = JSON.stringify(statementsOf(template).filter((one) => one.id === policy));
      expect(text, id).toContain(`"${from}"`);
      if (isStream) expect(text, id).toContain(`"${failures}"`);
      const [made] = resources("AWS::Lambda::Function").filter((one) => one.id.startsWith(name));
      expect(made?.DependsOn, id).toContain(policy);
    }
  });

  it("of messages hides them for six times the function's limit", () => {
    const visibility = new Map(
      resources("AWS::SQS::Queue").map(({ id, Properties }) => [id, Properties]),
    );
    for (const { id, from, isStream, function: name } of sources()) {
      if (isStream) continue;
      const [made] = resources("AWS::Lambda::Function").filter((one) => one.id.startsWith(name));
      const limit = Number(made?.Properties["Timeout"]);
      expect(visibility.get(from)?.["VisibilityTimeout"], id).toBe(6 * limit);
    }
  });
});
