import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import { aScope, boundTemplate, LATEST } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const withConditions = (
  conditions: JsonObject,
  sections: JsonObject,
  version: string = LATEST,
): JsonObject => ({
  heat_template_version: version,
  parameters: {
    env: { type: "string", default: "test" },
    secret: { type: "string", hidden: true, default: "hunter22" },
  },
  conditions: { prod: { equals: [{ get_param: "env" }, "prod"] }, ...conditions },
  ...sections,
});

const isEnabled = (condition: Json, conditions: JsonObject = {}): boolean =>
  boundTemplate(
    withConditions(conditions, { resources: { r: { type: "T", condition } } }),
  ).resources.has("r");

const wanting = (condition: Json): JsonObject => ({ o: { value: 1, condition } });

const refusal = (source: JsonObject, parameters: JsonObject = {}) =>
  failureOf(() => boundTemplate(source, parameters))?.message;

const outputOf = (value: Json, parameters: JsonObject = {}, version: string = LATEST) => {
  const source = withConditions({}, { outputs: { o: { value } } }, version);
  const template = boundTemplate(source, parameters);
  return resolveOutputs(template, [...template.outputs.values()], aScope())[0]?.value;
};

describe("an if beside a wrong call", () => {
  it("is refused in the order of the template, as in Heat", () => {
    const [wrongIf, wrongJoin] = [{ if: "prod" }, { list_join: "x" }];
    const refused = (value: Json) => refusal(withConditions({}, { outputs: { o: { value } } }));
    expect(refused([wrongJoin, wrongIf])).toMatch(/^outputs\.o\.value\[0\]\.list_join: /);
    expect(refused([wrongIf, wrongJoin])).toMatch(/^outputs\.o\.value\[0\]\.if: /);
    expect(refused({ list_join: [wrongIf] })).toMatch(/^outputs\.o\.value\.list_join\[0\]\.if: /);
  });
});

describe("an expression of yaql that is none", () => {
  const bad = { yaql: { expression: "1 +" } };
  const reason = "yaql: Bad expression Parse error: unexpected end of statement.";

  it("is refused with the places that Heat gives", () => {
    const outputs = { o: { value: { list_join: ["", [bad]] } } };
    expect(refusal(withConditions({}, { outputs }))).toBe(
      `outputs.o.value.list_join: [1][0].${reason}`,
    );
    expect(refusal(withConditions({ c: { contains: [1, bad] } }, {}))).toBe(
      `contains: [1].${reason}`,
    );
  });

  it("is refused after the other conditions", () => {
    const conditions = { c: { contains: [1, bad] }, d: "no condition" };
    expect(refusal(withConditions(conditions, {}))).toBe(`contains: [1].${reason}`);
    expect(refusal(withConditions({ a: "no condition", ...conditions }, {}))).toBe(
      'Condition validation error: The definition of condition "a" is invalid: no condition',
    );
  });
});

describe("a condition", () => {
  it.each<[string, Json, boolean]>([
    ["a boolean", true, true],
    ["the name of another", "prod", false],
    ["not", { not: "prod" }, true],
    ["and", { and: ["prod", true] }, false],
    ["or", { or: ["prod", true] }, true],
    ["a parameter that is compared", { equals: [{ get_param: "env" }, "test"] }, true],
    ["true and 1, which are equal in Python", { equals: [true, 1] }, true],
    ["a text and a number, which are not", { equals: ["1", 1] }, false],
    ["contains", { contains: ["a", ["a", "b"]] }, true],
    ["yaql", { yaql: { expression: "$.data > 1", data: 2 } }, true],
  ])("can be %s", (_, condition, expected) => {
    expect(isEnabled(condition)).toBe(expected);
  });

  it("is asked only until the answer is certain", () => {
    expect(isEnabled({ or: [true, "nope"] })).toBe(true);
    expect(isEnabled({ and: [false, "nope"] })).toBe(false);
  });

  it("is checked also where nothing uses it", () => {
    expect(refusal(withConditions({ c: "prod" }, {}))).toBe(
      'Condition validation error: The definition of condition "c" is invalid: prod',
    );
    expect(refusal(withConditions({ c: { get_attr: ["r", "a"] } }, {}))).toBe(
      'conditions.c.get_attr: The function "get_attr" is invalid in this context',
    );
  });

  it("may not depend on itself", () => {
    const resources = { r: { type: "T", condition: "a" } };
    const circle = { a: { not: "b" }, b: { not: "a" } };
    expect(refusal(withConditions(circle, { resources }))).toBe(
      'Condition validation error: Circular definition for condition "a"',
    );
  });

  it("may name others, but not without end", () => {
    const chain = (count: number): JsonObject =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `c${index}`,
          index + 1 === count ? true : { not: `c${index + 1}` },
        ]),
      );
    expect(isEnabled("c0", chain(50))).toBe(false);
    for (const count of [51, 10_000]) {
      const resources = { r: { type: "T", condition: "c0" } };
      expect(refusal(withConditions(chain(count), { resources }))).toBe(
        "Condition validation error: More than 50 conditions name each other",
      );
    }
  });

  it("is decided once, however many others name it", () => {
    const doubling = Array.from({ length: 40 }, (_, index): [string, Json] => [
      `c${index}`,
      { and: [`c${index + 1}`, `c${index + 1}`] },
    ]);
    expect(isEnabled("c0", { ...Object.fromEntries(doubling), c40: { not: "prod" } })).toBe(true);
  });

  it("must give a truth value", () => {
    expect(refusal(withConditions({ c: { get_param: "env" } }, { outputs: wanting("c") }))).toBe(
      'Condition validation error: The definition of condition "c" is invalid: test',
    );
  });

  it("may not call what needs a resource, wherever it stands", () => {
    const resources = { r: { type: "T", condition: { get_attr: ["r", "a"] } } };
    expect(refusal(withConditions({}, { resources }))).toBe(
      'resources.r.condition.get_attr: The function "get_attr" is invalid in this context',
    );
  });

  it("that is unknown is an error with its place", () => {
    const resources = { r: { type: "T", condition: { and: ["nope", true] } } };
    expect(refusal(withConditions({}, { resources }))).toBe(
      'resources.r.condition: Invalid condition "nope"',
    );
    const outputs = { o: { value: 1, condition: "nope" } };
    expect(refusal(withConditions({}, { outputs }))).toBe(
      'outputs.o.condition: Invalid condition "nope"',
    );
  });

  it("shows no hidden value in its error", () => {
    const resources = { r: { type: "T", condition: { not: { get_param: "secret" } } } };
    expect(refusal(withConditions({}, { resources }))).toBe(
      'resources.r.condition: Invalid condition "******"',
    );
  });
});

describe("what a false condition removes", () => {
  const resources = {
    a: { type: "T", condition: "prod" },
    b: { type: "T", depends_on: "a" },
  };

  it("is a resource, and depends_on it has no effect", () => {
    const source = withConditions({}, { resources });
    expect(boundTemplate(source).resources.get("b")?.requires).toEqual([]);
    const { requires } = boundTemplate(source, { env: "prod" }).resources.get("b") ?? {};
    expect(requires).toEqual(["a"]);
  });

  it("is a resource that no other may refer to", () => {
    const user = { type: "T", properties: { p: { get_resource: "a" } } };
    expect(refusal(withConditions({}, { resources: { ...resources, user } }))).toBe(
      'The specified reference "a" (in user.Properties.p) is incorrect.',
    );
  });

  it("is the value of an output, which stays listed", () => {
    const outputs = { o: { value: { get_attr: ["gone", "x"] }, condition: "prod" } };
    const template = boundTemplate(withConditions({}, { outputs }));
    expect(template.outputs.get("o")?.value).toBeNull();
  });
});

describe("if", () => {
  it("gives one of two values", () => {
    const value = { if: ["prod", "large", "small"] };
    expect(outputOf(value)).toBe("small");
    expect(outputOf(value, { env: "prod" })).toBe("large");
  });

  it("hides the other value, whatever is wrong with it", () => {
    expect(outputOf({ if: ["prod", { list_join: 5 }, "fine"] })).toBe("fine");
  });

  it("without a second value removes the item or the member around it", () => {
    expect(outputOf({ a: 1, b: { if: ["prod", 2] }, c: [3, { if: ["prod", 4] }] })).toEqual({
      a: 1,
      c: [3],
    });
    expect(outputOf({ if: ["prod", 2] })).toBeNull();
    expect(outputOf([{ if: [true, { if: ["prod", 2] }] }])).toEqual([]);
  });

  it("leaves data that has become like a call as data", () => {
    expect(outputOf({ get_param: "env", gone: { if: ["prod", 2] } })).toEqual({
      get_param: "env",
    });
  });

  it("needs the second value before 2021-04-16", () => {
    expect(failureOf(() => outputOf({ if: ["prod", 2] }, {}, "2018-08-31"))?.message).toBe(
      'outputs.o.value.if: Arguments to "if" must be of the form: [condition_name, value_if_true, value_if_false]',
    );
  });

  it("chooses a property, a deletion policy and what a resource waits for", () => {
    const resources = {
      a: { type: "T" },
      b: {
        type: "T",
        deletion_policy: { if: ["prod", "retain", "delete"] },
        properties: { p: { if: ["prod", { get_resource: "a" }, "none"] } },
      },
    };
    const source = withConditions({}, { resources });
    const { requires, deletionPolicy } = boundTemplate(source).resources.get("b") ?? {};
    expect({ requires, deletionPolicy }).toEqual({ requires: [], deletionPolicy: "Delete" });
    const inProduction = boundTemplate(source, { env: "prod" }).resources.get("b");
    expect(inProduction?.requires).toEqual(["a"]);
    expect(inProduction?.deletionPolicy).toBe("Retain");
  });
});
