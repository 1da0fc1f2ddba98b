import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { pseudoParameters } from "#lib/template/scope.ts";
import { aScope, boundTemplate, parameterValues } from "./build.ts";
import { failureOf } from "./failure-of.ts";

const AWS = { AWSTemplateFormatVersion: "2010-09-09" };
const HEAT = { HeatTemplateFormatVersion: "2012-12-12" };
const FORMATS = [AWS, HEAT] as const;
const NONE = { Type: "OS::Heat::None" };

const sections: JsonObject = {
  Parameters: { size: { Type: "Number", Default: "2" }, word: { Type: "String", Default: "d" } },
  Mappings: { sizes: { d: { large: "x", list: ["a", "b"] } } },
  Resources: { r: NONE },
};

const refused = (template: JsonObject): string | undefined =>
  failureOf(() => boundTemplate(template))?.message;

const outputOf = (version: JsonObject, value: Json, more: JsonObject = {}): Json => {
  const source = { ...version, ...sections, ...more, Outputs: { o: { Value: value } } };
  const template = boundTemplate(source);
  const parameters = parameterValues(parseTemplate(source), {}, {}, { strict: true });
  const scope = aScope({
    parameters,
    pseudo: pseudoParameters({ id: "1", name: "web", tenant: "demo" }, template),
    resource: (name) =>
      template.resources.has(name) ? { refId: null, attributes: {}, live: false } : null,
  });
  const [result] = resolveOutputs(template, [...template.outputs.values()], scope);
  return result?.error ?? result?.value ?? null;
};

describe("a template in CloudFormation's format", () => {
  it.each([
    [{ Ref: "word" }, "d"],
    [{ Ref: "size" }, 2],
    [{ Ref: "r" }, "r"],
    [{ Ref: "AWS::StackName" }, "web"],
    [{ Ref: "AWS::Region" }, "ap-southeast-1"],
    [{ Ref: "AWS::StackId" }, "arn:openstack:heat::demo:stacks/web/1"],
    [
      { Ref: "OS::stack_name" },
      'The specified reference "OS::stack_name" (in unknown) is incorrect.',
    ],
    [{ "Fn::FindInMap": ["sizes", { Ref: "word" }, "large"] }, "x"],
    [
      { "Fn::FindInMap": ["sizes", "d", "small"] },
      "The mappings have no value at 'sizes', 'd', 'small'",
    ],
    [{ "Fn::Select": ["1", { "Fn::FindInMap": ["sizes", "d", "list"] }] }, "b"],
    [{ "Fn::Join": ["-", ["a", { Ref: "word" }]] }, "a-d"],
    [{ "Fn::Split": [",", "a,b"] }, ["a", "b"]],
    [{ "Fn::Replace": [{ $a: "b" }, "x$a"] }, "xb"],
    [{ "Fn::Base64": "plain" }, "plain"],
    [{ get_param: "word" }, { get_param: "word" }],
  ])("resolves %j in both variants", (snippet: Json, expected: Json) => {
    for (const version of FORMATS) expect(outputOf(version, snippet)).toEqual(expected);
  });

  it("has conditions in CloudFormation's own variant only", () => {
    const Conditions = {
      large: { "Fn::Equals": [{ Ref: "size" }, 2] },
      mapped: { "Fn::Equals": [{ "Fn::FindInMap": ["sizes", "d", "large"] }, "x"] },
      both: { "Fn::And": ["large", { "Fn::Not": [{ "Fn::Or": ["large", "mapped"] }] }] },
    };
    const chosen = (name: string): Json => ({ "Fn::If": [name, "yes", "no"] });
    expect(outputOf(AWS, chosen("mapped"), { Conditions })).toBe("yes");
    expect(outputOf(AWS, chosen("both"), { Conditions })).toBe("no");
    expect(outputOf(HEAT, chosen("mapped"))).toEqual(chosen("mapped"));
    expect(refused({ ...HEAT, Conditions })).toBe("The template section is invalid: Conditions");
    const { resources } = boundTemplate({
      ...AWS,
      ...sections,
      Conditions,
      Resources: { a: { ...NONE, Condition: "large" }, b: { ...NONE, Condition: "both" } },
    });
    expect([...resources.keys()]).toEqual(["a"]);
  });

  it("refuses a name in a condition that Python cannot look up", () => {
    const Conditions = { c: { "Fn::Equals": [{ Ref: { a: 1 } }, 2] } };
    const Outputs = { o: { Value: { "Fn::If": ["c", 1, 2] } } };
    expect(refused({ ...AWS, ...sections, Conditions, Outputs })).toBe(
      "Outputs.o.Value.Fn::If: unhashable type: 'dict'",
    );
  });

  it("reads definitions by its own words", () => {
    const { resources } = boundTemplate({
      ...AWS,
      Resources: {
        b: NONE,
        a: {
          Type: "OS::Heat::TestResource",
          Properties: { value: { "Fn::GetAtt": ["b", "show"] } },
          Metadata: { m: 1 },
          DependsOn: ["c"],
          DeletionPolicy: "Retain",
          Comment: "unknown keys mean nothing",
        },
        c: NONE,
      },
    });
    expect(resources.get("a")).toEqual({
      name: "a",
      type: "OS::Heat::TestResource",
      properties: { value: { "Fn::GetAtt": ["b", "show"] } },
      metadata: { m: 1 },
      dependsOn: ["c"],
      deletionPolicy: "Retain",
      updatePolicy: {},
      description: "",
      externalId: null,
      requires: ["b", "c"],
    });
  });

  it.each([
    [{ Resources: { r: { Properties: {} } } }, "Each Resource must contain a Type key."],
    [{ Resources: { r: "x" } }, "Resources must contain Resource. Found a [<class 'str'>] instead"],
    [{ Resources: ["r"] }, "'list' object has no attribute 'values'"],
    [
      { Resources: { r: { ...NONE, Properties: [] } } },
      "Resource r Properties type must be object",
    ],
    [
      { Resources: { r: { ...NONE, DeletionPolicy: "retain" } } },
      'Invalid deletion policy "retain"',
    ],
    [
      { Resources: { r: { ...NONE, DependsOn: [5] } } },
      "Resource r DependsOn must be a list of strings",
    ],
    [
      { Outputs: { o: { value: 1 } } },
      "Output validation error: Outputs.o: Each output definition must contain a Value key.",
    ],
    [
      { Outputs: { o: { Value: { "Fn::GetAtt": ["r"] } } } },
      'Outputs.o.Value.Fn::GetAtt: Arguments to "Fn::GetAtt" must be of the form [resource_name, attribute]',
    ],
    [
      { Outputs: { o: { Value: { "Fn::FindInMap": ["a", "b"] } } } },
      "Outputs.o.Value.Fn::FindInMap: 'not enough values to unpack (expected 3, got 2)'",
    ],
    [{ Parameters: { p: { Type: "string" } } }, "Invalid type (string)"],
    [
      { Parameters: { p: { Type: "String", Minimum: 1 } } },
      "Invalid key 'Minimum' for parameter (p)",
    ],
    [
      { Parameters: { p: { Type: "String", MinValue: 1 } } },
      "Parameter 'p' is invalid: Range constraint invalid for String",
    ],
    [{ resources: {} }, "The template section is invalid: resources"],
  ])("refuses %j with Heat's text", (wrong: JsonObject, message: string) => {
    for (const version of FORMATS) expect(refused({ ...version, ...wrong })).toBe(message);
  });

  it("has one version a variant, and names it", () => {
    expect(refused({ AWSTemplateFormatVersion: "2010-09-10" })).toBe(
      'The template version is invalid: "AWSTemplateFormatVersion: 2010-09-10". "AWSTemplateFormatVersion" should be: 2010-09-09',
    );
    expect(refused({ ...AWS, ...HEAT })).toBe(
      "The template version is invalid: Ambiguous versions (AWSTemplateFormatVersion, HeatTemplateFormatVersion)",
    );
  });

  it.each([
    [{ Type: "Number", MinValue: 3 }, "Invalid default 2 (2 is out of range (min: 3, max: None))"],
    [
      { Type: "String", AllowedValues: ["3"] },
      'Invalid default 2 ("2" is not an allowed value ["3"])',
    ],
    [
      { Type: "String", MinLength: "3", ConstraintDescription: "too short" },
      "Invalid default 2 (too short)",
    ],
  ])("checks the constraints of a parameter: %j", (schema: JsonObject, reason: string) => {
    const wrong = refused({ ...AWS, Parameters: { p: { ...schema, Default: "2" } } });
    expect(wrong).toBe(`Parameter 'p' is invalid: ${reason}`);
  });

  it("hides parameters with NoEcho", () => {
    const { parameters } = boundTemplate({
      ...AWS,
      Parameters: { p: { Type: "String", NoEcho: "True", Default: "x" } },
    });
    expect(parameters.get("p")).toMatchObject({ hidden: true, label: "p", typeName: "String" });
  });
});
