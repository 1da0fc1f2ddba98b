import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { describeJsonError } from "#lib/template/json-error.ts";
import {
  checkImmutable,
  describeParameters,
  hiddenParameterNames,
  parameterText,
} from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { aTemplate, LATEST, parameterValues } from "./build.ts";
import { failureOf } from "./oracles.ts";

const withParameters = (parameters: JsonObject) => aTemplate({ parameters });
const resolveOne = (schema: JsonObject, value: Json) =>
  parameterValues(withParameters({ p: schema }), { p: value }, {}).get("p");
const refusal = (schema: JsonObject, value: Json) => failureOf(() => resolveOne(schema, value));

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
    expect(resolveOne(schema, allowed_values)).toHaveLength(30_000);
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
    expect(resolveOne({ type }, value)).toEqual(expected);
  });

  it("refuses too deeply nested JSON, as text and as a value", () => {
    const text = "[".repeat(20_000) + "]".repeat(20_000);
    const message = "Parameter 'p' is invalid: Value must not be nested more than 200 levels deep";
    expect(refusal({ type: "json" }, text)?.message).toBe(message);
    expect(refusal({ type: "json" }, JSON.parse(text))?.message).toBe(message);
    expect(resolveOne({ type: "json" }, "[".repeat(200) + "]".repeat(200))).toHaveLength(1);
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
    expect(resolveOne({ type: "json" }, "null")).toBeNull();
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
    expect(resolveOne({ type: "number" }, text)).toBe(shown);
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

describe("definitions of parameters", () => {
  it.each([
    [{ type: "string", bogus: 1 }, "Invalid key 'bogus' for parameter (p)"],
    [{}, "Missing parameter type for parameter: p"],
    [{ type: "text" }, "Invalid type (text)"],
    [
      { type: "string", constraints: "x" },
      "Invalid parameter constraints for parameter p, expected a list",
    ],
    [{ type: "string", constraints: [{}] }, "No constraint expressed"],
    [
      { type: "json", constraints: [{ range: { min: 1 } }] },
      "Parameter 'p' is invalid: Range constraint invalid for json",
    ],
    [
      { type: "string", constraints: [{ length: {} }] },
      "A length constraint must have a min value and/or a max value specified.",
    ],
    [
      { type: "string", constraints: [{ length: { min: 1.5 } }] },
      "min/max length must be integral",
    ],
    [
      { type: "number", constraints: [{ range: {} }] },
      "A range constraint must have a min value and/or a max value specified.",
    ],
    [
      { type: "number", constraints: [{ modulo: { step: 2 } }] },
      "A modulo constraint must have a step value and an offset value specified.",
    ],
    [
      { type: "number", constraints: [{ modulo: { step: 2.5, offset: 0 } }] },
      "step/offset must be integer",
    ],
    [
      { type: "number", default: 9, constraints: [{ range: { max: 5 } }] },
      "Parameter 'p' is invalid: Invalid default 9 (9 is out of range (min: None, max: 5))",
    ],
    [
      { type: "string", constraints: [{ allowed_pattern: "(" }] },
      'AllowedPattern "(" is not a regular expression: missing ), unterminated subpattern at position 0',
    ],
    [
      { type: "string", constraints: [{ allowed_pattern: "(a)\\2" }] },
      'AllowedPattern "(a)\\2" is not a regular expression: invalid group reference 2 at position 4',
    ],
  ])("refuses %j", (schema, message) => {
    expect(failureOf(() => withParameters({ p: schema }))).toEqual({
      code: "InvalidSchemaError",
      message,
    });
  });

  it("knows modulo since 2017-02-24 and tags since 2018-03-02", () => {
    const refused = (schema: JsonObject, version: string) =>
      failureOf(() => aTemplate({ parameters: { p: schema } }, version))?.message;
    const modulo = { type: "number", constraints: [{ modulo: { step: 2, offset: 0 } }] };
    expect(refused(modulo, "2017-02-24")).toBeUndefined();
    expect(refused(modulo, "2016-10-14")).toBe("No constraint expressed");
    expect(refused({ type: "string", tags: ["a"] }, "2017-09-01")).toBe(
      "Invalid key 'tags' for parameter (p)",
    );
  });
});

describe("the order in which parameters are checked", () => {
  const bad = { type: "number", default: 9, constraints: [{ range: { max: 5 } }] };
  const messageOf = (sections: JsonObject, given: JsonObject = {}) => {
    const source = { heat_template_version: LATEST, ...sections };
    return failureOf(() => parameterValues(parseTemplate(source), given, {}))?.message;
  };

  it("is unknown ones first, and then schema and value of each in the template's order", () => {
    const parameters = { a: { type: "number" }, b: bad };
    expect(messageOf({ parameters }, { a: "x", c: 1 })).toContain("The Parameter (c)");
    expect(messageOf({ parameters }, { a: "x" })).toContain("could not convert");
    expect(messageOf({ parameters }, { a: "1" })).toContain("Invalid default 9");
    expect(messageOf({ parameters: { b: bad, a: { type: "number" } } })).toContain(
      "Invalid default",
    );
  });

  it("is the definitions of parameters before the other sections", () => {
    const resources = { r: {} };
    expect(messageOf({ parameters: { a: {} }, resources, bogus: 1 })).toBe(
      "Missing parameter type for parameter: a",
    );
    expect(messageOf({ parameters: { a: { type: "number" } }, resources }, { b: 1 })).toBe(
      "Each resource must contain a type key.",
    );
  });

  it("is the groups after all values", () => {
    const parameter_groups = [{ label: "l", parameters: ["nosuch"] }];
    const sections = { parameters: { a: { type: "number" } }, parameter_groups };
    expect(messageOf(sections)).toContain("The Parameter (a) was not provided.");
    expect(messageOf(sections, { a: 1 })).toContain("The grouped parameter nosuch");
  });

  it("is the constraints of a schema before its type", () => {
    const schema = { type: "text", constraints: [{}] };
    expect(messageOf({ parameters: { a: schema } })).toBe("No constraint expressed");
  });
});

describe("hidden parameters", () => {
  it.each(["false", 1, "no", ["x"]])("are those with %j, which is true in Python", (hidden) => {
    const template = withParameters({ p: { type: "string", hidden } });
    expect([...hiddenParameterNames(template)]).toEqual(["p"]);
  });

  const hidden = (schema: JsonObject) => ({ hidden: true, ...schema });

  it.each<[JsonObject, Json]>([
    [{ type: "number" }, "s3cret"],
    [{ type: "boolean" }, "s3cret"],
    [{ type: "json" }, "{s3cret"],
    [{ type: "string", constraints: [{ allowed_values: ["a"] }] }, "s3cret"],
    [{ type: "string", constraints: [{ allowed_pattern: "a" }] }, "s3cret"],
    [{ type: "string", constraints: [{ custom_constraint: "ip_addr" }] }, "s3cret"],
    [{ type: "string", constraints: [{ custom_constraint: "json_string" }] }, "s3cret"],
    [{ type: "string", constraints: [{ custom_constraint: "nosuch" }] }, "s3cret"],
    [{ type: "number", constraints: [{ range: { max: 5 } }] }, 4711],
    [{ type: "number", constraints: [{ modulo: { step: 2, offset: 0 } }] }, 4711],
  ])("%j shows its value in no error", (schema, value) => {
    const message = refusal(hidden(schema), value)?.message;
    expect(message).toMatch(/^Parameter 'p' is invalid: /);
    expect(message).not.toMatch(/s3cret|4711/);
  });

  it("show no wrong default, and no value in a stack", () => {
    const schema = hidden({
      type: "string",
      default: "s3cret",
      constraints: [{ length: { max: 2 } }],
    });
    expect(failureOf(() => withParameters({ p: schema }))?.message).not.toContain("s3cret");
    const template = withParameters({ p: hidden({ type: "string" }), q: { type: "string" } });
    expect([...hiddenParameterNames(template)]).toEqual(["p"]);
    const p = template.parameters.get("p");
    expect(p && parameterText(p, "s3cret")).toBe("******");
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

describe("describeJsonError", () => {
  it.each([
    ["{bad", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
    ["[1,\n 2 3]", "Expecting ',' delimiter: line 2 column 4 (char 7)"],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"a": }', "Expecting value: line 1 column 7 (char 6)"],
    ['{"a": 1} x', "Extra data: line 1 column 10 (char 9)"],
    ['"abc', "Unterminated string starting at: line 1 column 1 (char 0)"],
    ['"a\nb"', "Invalid control character at: line 1 column 3 (char 2)"],
    ['"\\x"', "Invalid \\escape: : line 1 column 2 (char 1)"],
    ["[1,]", "Expecting value: line 1 column 4 (char 3)"],
    ["nope", "Expecting value: line 1 column 1 (char 0)"],
  ])("shows where %j stops being JSON, like Python", (text, message) => {
    expect(describeJsonError(text)).toBe(message);
  });

  it("gives up on very many brackets", () => {
    expect(describeJsonError("[".repeat(100_000))).toMatch(/^Nested too deeply/);
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
