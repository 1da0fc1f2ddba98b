import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { finished } from "#lib/template/bind/bind.ts";
import type { TypeSchema } from "#lib/template/check/properties.ts";
import { validating } from "#lib/template/check/validate.ts";
import { secretProperties } from "#lib/template/functions/hidden-references.ts";
import type { Template } from "#lib/template/template.ts";
import { aTemplate, boundTemplate, parameterValues } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const description = "";
const types: Readonly<Record<string, TypeSchema>> = {
  Server: {
    properties: {
      size: {
        type: "integer",
        description,
        required: true,
        constraints: [{ range: { min: 1, max: 9 } }],
      },
      name: { type: "string", description, constraints: [{ allowedPattern: "[a-z]+" }] },
      script: { type: "string", description },
    },
    attributes: { ip: {} },
    updatePolicy: { pause: { type: "integer", description } },
    validate: ({ size, name }, resource) =>
      size === 9 ? `Server "${resource}" called ${String(name)} is too large` : null,
  },
  Any: { properties: "any", attributes: "any" },
  Sizes: {
    properties: {
      items: { type: "list", items: { type: "map", schema: { size: { type: "integer" } } } },
    },
    attributes: {},
  },
  Tags: {
    properties: { tags: { type: "list", items: { type: "string", unimplemented: true } } },
    attributes: {},
  },
};

const checkTemplate = (
  template: Template,
  given: JsonObject = {},
  options = { strict: true },
): void => {
  const parameters = parameterValues(template, given, {}, options);
  finished(
    validating(
      template,
      parameters,
      { files: { "run.sh": "echo" } },
      (type) => types[type] ?? null,
      options,
    ),
  );
};
const check = (sections: JsonObject, given: JsonObject = {}, options = { strict: true }): void =>
  checkTemplate(aTemplate(sections), given, options);
const refusal = (sections: JsonObject, given: JsonObject = {}) =>
  failureOf(() => check(sections, given))?.message;
const lenient = (sections: JsonObject) =>
  failureOf(() => check(sections, {}, { strict: false }))?.message;
const server = (properties: JsonObject, more: JsonObject = {}) => ({
  resources: { a: { type: "Any" }, r: { type: "Server", properties, ...more } },
});

describe("validateTemplate", () => {
  it("accepts a correct template", () => {
    expect(
      refusal(server({ size: "5", name: "web", script: { get_file: "run.sh" } })),
    ).toBeUndefined();
  });

  it("refuses an unknown type with Heat's text", () => {
    expect(failureOf(() => check({ resources: { r: { type: "No::Such" } } }))).toEqual({
      code: "StackValidationFailed",
      message: "The Resource Type (No::Such) could not be found.",
    });
  });

  it("always checks names, but checks values only when strict", () => {
    const unknown = "Property error: resources.r.properties: Unknown Property bogus";
    expect([refusal(server({ bogus: 1 })), lenient(server({ bogus: 1 }))]).toEqual([
      unknown,
      unknown,
    ]);
    expect(refusal(server({}))).toBe(
      "Property error: resources.r.properties: Property size not assigned",
    );
    expect(refusal(server({ size: 0 }))).toBe(
      "Property error: resources.r.properties.size: 0 is out of range (min: 1, max: 9)",
    );
    expect([lenient(server({})), lenient(server({ size: 0 }))]).toEqual([undefined, undefined]);
  });

  it("skips a value that waits for another resource or the stack's name", () => {
    expect(
      refusal(server({ size: { get_attr: ["a", "x"] }, name: { get_resource: "a" } })),
    ).toBeUndefined();
    expect(refusal(server({ size: 1, name: { get_param: "OS::stack_name" } }))).toBeUndefined();
  });

  it("refuses a function that cannot do without the value that waits, as Heat does", () => {
    const attribute = { get_attr: ["a", "x"] };
    expect(refusal(server({ size: 1, script: { digest: ["md5", attribute] } }))).toBe(
      'Property error: resources.r.properties.script: Argument to function "digest" must be a list of strings',
    );
    const joined = { list_join: [",", [attribute, { get_resource: "a" }]] };
    expect(refusal(server({ size: 1, script: joined }))).toBeUndefined();
    expect(refusal(server({ size: 1, script: { str_split: [",", attribute] } }))).toBeUndefined();
  });

  it("looks up a computed parameter before the create", () => {
    const name = { get_param: { list_join: ["", ["no", "pe"]] } };
    expect(refusal(server({ size: 1, name }))).toBe(
      "Property error: resources.r.properties.name: The Parameter (nope) was not provided.",
    );
  });

  it("requires a file, even beside a value that waits", () => {
    const missing =
      'Property error: resources.r.properties.script: No content found in the "files" section for get_file path: x';
    const joined = { list_join: ["", [{ get_file: "x" }, { get_resource: "a" }]] };
    expect(refusal(server({ size: 1, script: { get_file: "x" } }))).toBe(missing);
    expect(refusal(server({ size: 1, script: joined }))).toBe(missing);
  });

  it("refuses an unknown attribute in resources and in outputs", () => {
    const sections = server({ size: 1 });
    const output = (attribute: string) => ({
      ...sections,
      outputs: { o: { value: { get_attr: ["r", attribute] } } },
    });
    expect(refusal(output("ip"))).toBeUndefined();
    expect(refusal(output("show"))).toBeUndefined();
    expect(refusal(output("toString"))).toBe(
      "outputs.o.value.get_attr: The Referenced Attribute (r toString) is incorrect.",
    );
    const nested = { list_join: ["", [{ get_attr: ["r", "bogus"] }]] };
    expect(refusal({ ...sections, outputs: { o: { value: nested } } })).toBe(
      "outputs.o.value.list_join: [1][0].get_attr: The Referenced Attribute (r bogus) is incorrect.",
    );
    expect(refusal({ ...sections, outputs: { o: { value: [{ get_attr: ["no", "ip"] }] } } })).toBe(
      'outputs.o.Value[0].get_attr: The specified reference "no" (in unknown) is incorrect.',
    );
    const user = { type: "Any", properties: { p: { get_attr: ["r", "bogus"] } } };
    expect(lenient({ resources: { ...sections.resources, user } })).toBe(
      "resources.user.properties.p.get_attr: The Referenced Attribute (r bogus) is incorrect.",
    );
  });

  it("names the place in an if without the number of the argument, as Heat does", () => {
    const value = { if: ["always", [{ get_attr: ["r", "bogus"] }], 1] };
    const sections = { conditions: { always: true }, ...server({ size: 1 }) };
    expect(refusal({ ...sections, outputs: { o: { value } } })).toBe(
      "outputs.o.value.if: [0].get_attr: The Referenced Attribute (r bogus) is incorrect.",
    );
  });

  it("refuses get_attr of an unknown resource in an output, but not get_resource", () => {
    const output = (value: JsonObject) => refusal({ outputs: { o: { value } } });
    expect(output({ get_attr: ["nope", "x"] })).toBe(
      'outputs.o.value.get_attr: The specified reference "nope" (in unknown) is incorrect.',
    );
    expect(output({ get_resource: "nope" })).toBeUndefined();
  });

  it("refuses policies that the type lacks", () => {
    expect(refusal(server({ size: 1 }, { deletion_policy: "snapshot" }))).toBe(
      'resources.r.deletion_policy: "Snapshot" deletion policy not supported',
    );
    expect(refusal(server({ size: 1 }, { update_policy: { rolling: {} } }))).toBe(
      "Property error: resources.r.update_policy: Unknown Property rolling",
    );
  });

  it("checks what a policy has, but not what waits for another resource", () => {
    const policy = (pause: Json) => refusal(server({ size: 1 }, { update_policy: { pause } }));
    expect(policy("soon")).toBe(
      "Property error: resources.r.update_policy.pause: Value 'soon' is not an integer",
    );
    expect(policy({ get_attr: ["a", "pause"] })).toBeUndefined();
  });

  it("asks the type, which sees what waits as Heat's plugins do", () => {
    const called = (name: Json) => refusal(server({ size: 9, name }));
    expect(called("x")).toBe('Server "r" called x is too large');
    expect(called({ get_resource: "a" })).toBe('Server "r" called a is too large');
    expect(called({ get_attr: ["a", "ip"] })).toBe('Server "r" called  is too large');
  });

  it("spares a value that waits the constraints, but not the type", () => {
    const sized = (size: Json) => refusal(server({ size }));
    expect(sized({ get_attr: ["a", "size"] })).toBeUndefined();
    expect(sized({ get_resource: "a" })).toBe(
      "Property error: resources.r.properties.size: Value 'a' is not an integer",
    );
  });

  it("names only the property of a waiting value, and the whole place of a known one", () => {
    const sizes = (item: Json) =>
      refusal({
        resources: { a: { type: "Any" }, r: { type: "Sizes", properties: { items: [item] } } },
      });
    expect(sizes({ size: { get_resource: "a" } })).toBe(
      "Property error: resources.r.properties.items: Value 'a' is not an integer",
    );
    expect(sizes({ size: "a" })).toBe(
      "Property error: resources.r.properties.items[0].size: Value 'a' is not an integer",
    );
  });

  it("refuses an item that Heat does not implement, unless it waits", () => {
    const tagged = (tag: Json) =>
      refusal({
        resources: { a: { type: "Any" }, r: { type: "Tags", properties: { tags: [tag] } } },
      });
    expect(tagged("x")).toBe(
      "Property error: resources.r.properties.tags: Property 0 not implemented yet",
    );
    expect(tagged({ get_resource: "a" })).toBeUndefined();
  });
});

describe("a Ref of CloudFormation's format", () => {
  const using = (properties: JsonObject): Template =>
    boundTemplate({
      AWSTemplateFormatVersion: "2010-09-09",
      Parameters: { Size: { Type: "Number", Default: "10" } },
      Resources: { a: { Type: "Any" }, r: { Type: "Server", Properties: properties } },
    });
  const message = (properties: JsonObject) =>
    failureOf(() => checkTemplate(using(properties)))?.message;

  it("to a resource waits, and to a parameter does not", () => {
    expect(message({ size: 1, name: { Ref: "a" } })).toBeUndefined();
    expect(message({ size: { Ref: "a" } })).toBe(
      "Property error: Resources.r.Properties.size: Value 'a' is not an integer",
    );
    const named = (name: Json) => message({ size: 1, name });
    expect(named({ "Fn::Join": ["", [{ Ref: "a" }, "1"]] })).toBeUndefined();
    expect(message({ size: { Ref: "Size" } })).toBe(
      "Property error: Resources.r.Properties.size: 10 is out of range (min: 1, max: 9)",
    );
  });

  it("to a resource may show a secret, such as a password", () => {
    const template = using({ size: { Ref: "Size" }, name: { Ref: "a" } });
    const { properties } = present(template.resources.get("r"), "r");
    expect([...secretProperties(template, properties)]).toEqual(["name"]);
  });
});

describe("hidden parameters in properties", () => {
  const parameters = {
    secret: { type: "json", hidden: true },
    plain: { type: "string", default: "x" },
  };
  const using = (properties: JsonObject) => ({ parameters, ...server(properties) });

  it.each<[JsonObject, string]>([
    [{ size: { get_param: ["secret", "inner"] } }, "hunter2"],
    [{ size: 1, name: { get_param: ["secret", "inner"] } }, "hunter2"],
    [{ size: 1, name: { list_join: ["-", [{ get_param: ["secret", "inner"] }, "x"]] } }, "hunter2"],
    [{ size: 1, script: { get_file: { get_param: ["secret", "inner"] } } }, "hunter2"],
    [{ size: 9, name: { get_param: ["secret", "name"] } }, "peter"],
  ])("never show their value in an error: %j", (properties, value) => {
    const given = { secret: { inner: "hunter2", name: "peter" } };
    const message = refusal(using(properties), given);
    expect(message).toContain("******");
    expect(message).not.toContain(value);
  });

  it("are reported by property for later reads", () => {
    const template = aTemplate(
      using({
        size: 1,
        name: { get_param: "plain" },
        script: [{ get_param: ["secret", "inner"] }],
      }),
    );
    const definition = present(template.resources.get("r"), "r");
    expect([...secretProperties(template, definition.properties)]).toEqual(["script"]);
    const computed = { name: { get_param: { list_join: ["", ["sec", "ret"]] } } };
    expect([...secretProperties(template, computed)]).toEqual(["name"]);
  });
});
