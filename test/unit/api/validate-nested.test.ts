import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, openWorld } from "./api-world.ts";

const CHILD = {
  heat_template_version: "2021-04-16",
  description: "The child",
  parameter_groups: [{ label: "g", parameters: ["s"] }],
  parameters: {
    s: { type: "string", description: "S" },
    l: { type: "comma_delimited_list" },
    d: { type: "string", default: "dd", hidden: true },
  },
  resources: { deep: { type: "deep.yaml", properties: { t: { get_param: "s" } } } },
};
const DEEP = {
  heat_template_version: "2021-04-16",
  parameters: { t: { type: "string", tags: ["x"], immutable: true } },
};
const body: JsonObject = {
  template: {
    heat_template_version: "2021-04-16",
    resources: {
      plain: { type: "OS::Heat::None" },
      a: { type: "My::A", properties: { s: 5, l: ["x", "y"] } },
      h: {
        type: "OS::Heat::Stack",
        properties: { template: JSON.stringify(DEEP), parameters: { t: "z" } },
      },
    },
  },
  files: { "child.yaml": JSON.stringify(CHILD), "deep.yaml": JSON.stringify(DEEP) },
  environment: {
    resource_registry: { "My::A": "child.yaml" },
    parameter_defaults: { d: "env" },
  },
};

const validate = async (query: string): Promise<JsonObject> => {
  const answer = await openWorld().send("POST", `/validate${query}`, body);
  expect(answer.status).toBe(200);
  return Object(answer.body);
};

describe("validating a template that nests others", () => {
  it("describes their parameters with show_nested, level by level, but not those of OS::Heat::Stack", async () => {
    const { NestedParameters } = await validate("?show_nested=true");
    expect(NestedParameters).toEqual({
      a: {
        Type: "My::A",
        Description: "The child",
        Parameters: {
          s: { Type: "String", Description: "S", NoEcho: "false", Label: "s", Value: "5" },
          l: {
            Type: "CommaDelimitedList",
            Description: "",
            NoEcho: "false",
            Label: "l",
            Value: "x,y",
          },
          d: { Type: "String", Description: "", NoEcho: "true", Label: "d", Default: "env" },
        },
        ParameterGroups: [{ label: "g", parameters: ["s"] }],
        NestedParameters: {
          deep: {
            Type: "deep.yaml",
            Description: "No description",
            Parameters: {
              t: {
                Type: "String",
                Description: "",
                NoEcho: "false",
                Label: "t",
                Value: "5",
                Tags: ["x"],
              },
            },
          },
        },
      },
    });
  });

  const nesting = (below: string, count: number) => ({
    heat_template_version: "2021-04-16",
    resources: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`r${at}`, { type: below }]),
    ),
  });

  it.each([
    ["deep", "child.yaml", 1, "Recursion depth exceeds 5."],
    ["large", "leaf.yaml", 40, "Maximum resources per stack exceeded."],
  ])("refuses what makes a nest too %s, such as %s", async (_, below, count, reason) => {
    const files = {
      "child.yaml": JSON.stringify(nesting(below, count)),
      "leaf.yaml": JSON.stringify(nesting("OS::Heat::None", 1)),
    };
    const template = nesting("child.yaml", count);
    const answer = await openWorld().send("POST", "/validate?show_nested=true", {
      template,
      files,
    });
    expect(answer.status).toBe(400);
    expect(at(answer.body, "error", "message")).toBe(`Request limit exceeded: ${reason}`);
  });

  const nestingFile = (child: JsonObject) => ({
    template: nesting("child.yaml", 1),
    files: { "child.yaml": JSON.stringify({ heat_template_version: "2021-04-16", ...child }) },
  });

  it("refuses with show_nested an unknown type in a nested template", async () => {
    const request = nestingFile({ resources: { a: { type: "No::Such" } } });
    const answer = await openWorld().send("POST", "/validate?show_nested=true", request);
    expect(answer.status).toBe(400);
    expect(at(answer.body, "error", "type")).toBe("StackValidationFailed");
    expect(at(answer.body, "error", "message")).toBe(
      "The Resource Type (No::Such) could not be found.",
    );
    expect((await openWorld().send("POST", "/validate", request)).status).toBe(200);
  });

  it("describes a nested template with a wrong reference or default", async () => {
    const request = nestingFile({
      parameters: { n: { type: "number", default: 1, constraints: [{ range: { min: 5 } }] } },
      resources: { a: { type: "OS::Heat::None", depends_on: "missing" } },
      outputs: { o: { value: { get_resource: "missing" } } },
    });
    const answer = await openWorld().send("POST", "/validate?show_nested=true", request);
    expect(at(answer.body, "NestedParameters", "r0", "Parameters", "n")).toMatchObject({
      Type: "Number",
      Default: 1,
      MinValue: 5,
    });
  });

  it("describes none of them otherwise", async () => {
    expect(await validate("")).not.toHaveProperty("NestedParameters");
    expect(await validate("?show_nested=false")).not.toHaveProperty("NestedParameters");
  });

  it("shows no group where the list of groups is empty, and a description as written", async () => {
    const template = {
      heat_template_version: "2021-04-16",
      description: 5,
      parameter_groups: [],
      parameters: { p: { type: "string", label: 1, description: [2] } },
    };
    const answer = await openWorld().send("POST", "/validate", { template });
    expect(answer.body).not.toHaveProperty("ParameterGroups");
    expect(at(answer.body, "Description")).toBe(5);
    expect(at(answer.body, "Parameters", "p")).toMatchObject({ Label: 1, Description: [2] });
  });

  it("shows the description of CloudFormation's formats", async () => {
    const template = { AWSTemplateFormatVersion: "2010-09-09", Description: "A server" };
    const { body: answered } = await openWorld().send("POST", "/validate", { template });
    expect(at(answered, "Description")).toBe("A server");
  });
});
