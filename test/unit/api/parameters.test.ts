import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld } from "./api-world.ts";
import { output } from "./nested-templates.ts";

const VERSION = { heat_template_version: "2021-04-16" };

const hot: JsonObject = {
  ...VERSION,
  parameters: { p: { type: "json" } },
  conditions: { absent: { equals: [{ get_param: "p" }, null] } },
  resources: { one: { type: "OS::Heat::Value", properties: { value: [{ get_param: "p" }] } } },
  outputs: {
    whole: { value: [{ get_param: "p" }] },
    part: { value: { get_param: ["p", "key"] } },
    held: { value: { get_attr: ["one", "value"] } },
    chosen: { value: { if: ["absent", "yes", "no"] } },
  },
};

const cfn: JsonObject = {
  AWSTemplateFormatVersion: "2010-09-09",
  Parameters: { p: { Type: "Json" } },
  Conditions: { absent: { "Fn::Equals": [{ Ref: "p" }, null] } },
  Resources: { one: { Type: "OS::Heat::Value", Properties: { value: "x" } } },
  Outputs: {
    whole: { Value: [{ Ref: "p" }] },
    chosen: { Value: { "Fn::If": ["absent", "yes", "no"] } },
  },
};

describe("a parameter of type json that is given as the text null", () => {
  it.each([
    ["HOT", hot, { whole: [null], part: "", held: [null], chosen: "yes" }],
    ["CloudFormation's format", cfn, { whole: [null], chosen: "yes" }],
  ])("has the value null in %s", async (_, template, expected) => {
    const world = openWorld();
    const path = await createStack(world, "app", { template, parameters: { p: "null" } });
    await world.settle();
    for (const [key, value] of Object.entries(expected))
      expect([key, await output(world, path, key)]).toEqual([key, value]);
  });
});

describe("a template's own parameter with the name of a pseudo parameter", () => {
  const own = { type: "string", default: "mine", immutable: true };
  const template = {
    ...VERSION,
    parameters: { "OS::stack_name": own, "OS::region": own, "AWS::StackName": own },
    outputs: { name: { value: { get_param: "OS::stack_name" } } },
  };

  it("has its value in the template, and is not listed by a validation", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template });
    await world.settle();
    expect(await output(world, path, "name")).toBe("mine");
    const { body } = await world.send("POST", "/validate", { template });
    expect(Object.keys(Object(at(body, "Parameters")))).toEqual(["AWS::StackName"]);
  });

  it("may change although it is immutable", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template });
    await world.settle();
    const change = (name: string) =>
      world.send("PUT", path, { template, parameters: { [name]: "other" } });
    expect((await change("AWS::StackName")).status).toBe(400);
    expect((await change("OS::stack_name")).status).toBe(202);
  });
});
