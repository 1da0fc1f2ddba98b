import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import {
  checkImmutable,
  describeParameters,
  parameterText,
} from "#lib/template/parameters/parameters.ts";
import { parameterValue, parameterValues, withParameters } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const refusal = (schema: JsonObject, value: Json) => failureOf(() => parameterValue(schema, value));

describe("the values of parameters", () => {
  const template = withParameters({ p: { type: "string", default: "template" } });

  it("prefers the user's value, then parameter_defaults, then the template's default", () => {
    const value = (given: JsonObject, defaults: JsonObject) =>
      parameterValues(template, given, defaults).get("p");
    expect(value({ p: "user" }, { p: "environment" })).toBe("user");
    expect(value({ p: null }, { p: "environment", other: 1 })).toBe("environment");
    expect(value({}, {})).toBe("template");
  });

  it("compares a long list with many allowed values in a moment", () => {
    const allowed_values = Array.from({ length: 30_000 }, (_, at) => `value${at}`);
    const schema = { type: "comma_delimited_list", constraints: [{ allowed_values }] };
    expect(parameterValue(schema, allowed_values)).toHaveLength(30_000);
    const wrong = [...allowed_values.slice(1), "other"];
    expect(refusal(schema, wrong)?.message).toContain("is not an allowed value");
    const text = { type: "string", constraints: [{ allowed_values }] };
    expect(refusal(text, "x".repeat(500_000))?.message).toContain("is not an allowed value");
  });

  it("refuses a value for a parameter that the template lacks", () => {
    expect(failureOf(() => parameterValues(template, { toString: "x" }, {}))).toEqual({
      code: "UnknownUserParameter",
      message: "The Parameter (toString) was not defined in template.",
    });
  });

  it("requires a value, unless only the template is validated", () => {
    const required = withParameters({ p: { type: "number" }, q: { type: "number" } });
    expect(failureOf(() => parameterValues(required, {}, {}))).toEqual({
      code: "UserParameterMissing",
      message: "The Parameter (p) was not provided.",
    });
    expect(parameterValues(required, { q: "x" }, {}, { strict: false })).toEqual(new Map());
  });

  it.each([
    ["string", { a: [1, null] }, "{'a': [1, None]}"],
    ["number", "٣", 3],
    ["number", "1_000", 1000],
    ["comma_delimited_list", "a, b", ["a", " b"]],
    ["comma_delimited_list", [1, true], ["1", "True"]],
    ["json", '{"a": 1}', { a: 1 }],
    ["boolean", " Yes ", true],
  ])("%s reads %j as %j", (type, value, expected) => {
    expect(parameterValue({ type }, value)).toEqual(expected);
  });

  it("refuses too deeply nested JSON, as text and as a value", () => {
    const text = "[".repeat(20_000) + "]".repeat(20_000);
    const message = "Parameter 'p' is invalid: Value must not be nested more than 200 levels deep";
    expect(refusal({ type: "json" }, text)?.message).toBe(message);
    expect(refusal({ type: "json" }, JSON.parse(text))?.message).toBe(message);
    expect(parameterValue({ type: "json" }, "[".repeat(200) + "]".repeat(200))).toHaveLength(1);
  });

  it.each([
    ["number", { range: { max: 5 } }, " 007 ", " 007  is out of range (min: None, max: 5)"],
    ["number", { allowed_values: [1] }, 2, "2 is not an allowed value [1]"],
    ["number", { allowed_values: [1] }, "2", '"2" is not an allowed value [1]'],
    ["number", { allowed_values: ["x"] }, 2, 'Value "x" is invalid for data type "number".'],
    [
      "boolean",
      { allowed_values: ["maybe"] },
      true,
      'Value "maybe" is invalid for data type "boolean".',
    ],
    ["string", { allowed_values: ["a"] }, "é", '"\\u00e9" is not an allowed value ["a"]'],
    [
      "comma_delimited_list",
      { allowed_values: ["a"] },
      "a,b",
      '["a", "b"] is not an allowed value ["a"]',
    ],
    ["json", { range: { max: 5 } }, {}, "Range constraint invalid for json"],
    [
      "comma_delimited_list",
      { range: { max: 5 } },
      [],
      "Range constraint invalid for comma_delimited_list",
    ],
    ["number", { range: { max: "inf", min: "nan" } }, "-1e999", null],
    ["number", { range: { max: 5 } }, "inf", "inf is out of range (min: None, max: 5)"],
    [
      "number",
      { modulo: { step: 2, offset: 0 } },
      "nan",
      "nan is not a multiple of 2 with an offset of 0",
    ],
  ])("a %s under %j is judged as it is written: %j", (type, constraint, value, wrong) => {
    const failure = refusal({ type, constraints: [constraint] }, value);
    expect(failure?.message ?? null).toBe(wrong && `Parameter 'p' is invalid: ${wrong}`);
  });

  it.each([
    [{ length: { max: 5 } }, 123, "object of type 'int' has no len()"],
    [{ allowed_pattern: "1+" }, 1.5, "expected string or bytes-like object, got 'float'"],
  ])("a text under %j may be no number, as in Python", (constraint, value, message) => {
    const schema = { type: "string", constraints: [constraint] };
    expect(refusal(schema, value)).toEqual({ code: "TypeError", message });
    expect(refusal({ ...schema, default: value }, "11111")?.message).toBe(
      `Parameter 'p' is invalid: Invalid default ${value} (${message})`,
    );
  });

  it("refuses a value that takes too many steps, and does not show it", () => {
    const constraint = { allowed_pattern: "(?=(a+)+$)a", description: "letters" };
    const failure = refusal({ type: "string", constraints: [constraint] }, `${"a".repeat(99)}!`);
    expect(failure).toEqual({
      code: "StackValidationFailed",
      message: `Parameter 'p' is invalid: the pattern "(?=(a+)+$)a" takes too many steps to match`,
    });
  });

  it("limits the steps of all parameters together", () => {
    const constraints = [{ allowed_pattern: "(?:(?=a)a)*" }];
    const schema = { type: "string", default: "a".repeat(100_000), constraints };
    const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
    expect(failureOf(() => withParameters({ p: schema }))).toBeNull();
    expect(
      failureOf(() => withParameters(Object.fromEntries(names.map((name) => [name, schema])))),
    ).toMatchObject({ message: expect.stringContaining("takes too many steps to match") });
  });

  it("keeps the JSON text null as a value", () => {
    expect(parameterValue({ type: "json" }, "null")).toBeNull();
    expect(refusal({ type: "json", constraints: [{ length: { max: 1 } }] }, "null")?.message).toBe(
      "object of type 'NoneType' has no len()",
    );
  });

  it.each([
    ["inf", "inf"],
    ["-Infinity", "-inf"],
    ["+nan", "nan"],
    ["1e999", "inf"],
    ["-1e999", "-inf"],
  ])("keeps the number %s, which JSON lacks, as the text %s", (text, shown) => {
    expect(parameterValue({ type: "number" }, text)).toBe(shown);
  });

  it("checks constraints and shows the author's text for them", () => {
    const range = { range: { min: 1 } };
    expect(refusal({ type: "number", constraints: [range] }, 0)).toEqual({
      code: "StackValidationFailed",
      message: "Parameter 'p' is invalid: 0 is out of range (min: 1, max: None)",
    });
    const described = [{ ...range, description: "At least one." }];
    expect(refusal({ type: "number", constraints: described }, 0)?.message).toBe(
      "Parameter 'p' is invalid: At least one.",
    );
  });
});

describe("large and fractional numbers", () => {
  it.each([
    [{ range: { max: 9007199254740992 } }, "9007199254740992", null],
    [{ range: { max: 9007199254740992 } }, "9007199254740993", "9007199254740993 is out of range"],
    [{ range: { min: 1 } }, "1.0", null],
    [{ range: { min: 1.5 } }, "1.0", "1.0 is out of range (min: 1.5, max: None)"],
    [
      { modulo: { step: 2, offset: 0 } },
      "9007199254740993",
      "9007199254740993 is not a multiple of 2",
    ],
    [{ modulo: { step: 2, offset: 1 } }, "9007199254740993", null],
    [{ modulo: { step: 2, offset: 0 } }, "4.0", null],
    [{ modulo: { step: 2, offset: 0 } }, "4.5", "4.5 is not a multiple of 2 with an offset of 0"],
    [{ allowed_values: ["1e3"] }, "1000", null],
  ])("under %j the value %s is judged exactly", (constraint, text, refused) => {
    const schema = { type: "number", constraints: [constraint] };
    for (const value of [text, parseJson(text)]) {
      const failure = refusal(schema, value);
      if (refused === null) expect(failure).toBeNull();
      else expect(failure?.message).toContain(`Parameter 'p' is invalid: ${refused}`);
    }
  });

  it("names the place of a number in JSON that is out of range", () => {
    expect(refusal({ type: "json" }, '{"a": 1e999}')?.message).toContain(
      "Number out of range: line 1 column 7 (char 6)",
    );
  });
});

describe("parameterText", () => {
  it.each([
    ["json", { b: 1, a: "é" }, '{"b": 1, "a": "\\u00e9"}'],
    ["comma_delimited_list", ["a", "b"], "a,b"],
    ["boolean", true, "True"],
    ["number", 1.5, "1.5"],
  ])("shows %s %j as %s", (type, value, text) => {
    const schema = withParameters({ p: { type } }).parameters.get("p");
    expect(schema && parameterText(schema, value)).toBe(text);
  });
});

describe("immutable parameters", () => {
  const immutable = { type: "json", immutable: true };
  const template = withParameters({
    a: immutable,
    b: immutable,
    c: immutable,
    d: { type: "json" },
  });
  const values = (a: Json, b: Json, d: Json) =>
    new Map<string, Json>([
      ["a", a],
      ["b", b],
      ["d", d],
    ]);

  it("refuse a change with the parameter's name, and no other change", () => {
    const before = values({ x: 1, y: 2 }, [1], 1);
    expect(
      failureOf(() => checkImmutable(template, before, values({ y: 2, x: 1 }, [1], 2))),
    ).toBeNull();
    expect(failureOf(() => checkImmutable(template, before, values(1, 2, 3)))).toEqual({
      code: "ImmutableParameterModified",
      message: "The following parameters are immutable and may not be updated: a, b",
    });
  });
});

describe("describeParameters", () => {
  it("uses the words of the API", () => {
    const template = withParameters({
      p: {
        type: "comma_delimited_list",
        label: "L",
        tags: ["t"],
        constraints: [{ length: { max: 3 } }],
      },
    });
    expect(describeParameters(template, { p: "a" }, { p: "b" })).toEqual({
      p: {
        Type: "CommaDelimitedList",
        Description: "",
        NoEcho: "false",
        Label: "L",
        Default: "b",
        Value: "a",
        Tags: ["t"],
        MaxLength: 3,
      },
    });
  });
});
