import { describe, expect, it } from "vitest";
import { ExactNumber, type Json, type JsonObject } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { changedProperties, coerceProperties } from "#lib/template/check/properties.ts";
import { failureOf } from "../failure-of.ts";

const description = "";
const schemas: PropertySchemas = {
  length: {
    type: "integer",
    description,
    default: 32,
    constraints: [{ range: { min: 1, max: 512 } }],
  },
  salt: { type: "string", description, updateAllowed: true },
  classes: {
    type: "list",
    description,
    items: {
      type: "map",
      description,
      schema: {
        class: {
          type: "string",
          description,
          constraints: [{ allowedValues: ["letters", "digits"] }],
        },
        min: { type: "integer", description, default: 1 },
      },
    },
  },
};

const coerce = (given: JsonObject) => coerceProperties(schemas, given, "resources.r.properties");
const messageOf = (given: JsonObject) => failureOf(() => coerce(given))?.message;
const coerceOne = (schema: Omit<PropertySchema, "description">, value: Json) =>
  coerceProperties({ p: { description, ...schema } }, { p: value }, "resources.r.properties")["p"];
const refusal = (schema: Omit<PropertySchema, "description">, value: Json) =>
  failureOf(() => coerceOne(schema, value))?.message.replace(
    "Property error: resources.r.properties.p",
    "",
  );

describe("coerceProperties", () => {
  it("converts values to their types, fills in defaults, and reads a null as empty", () => {
    expect(coerce({ salt: 5, classes: [{ class: "digits" }] })).toEqual({
      length: 32,
      salt: "5",
      classes: [{ class: "digits", min: 1 }],
    });
    expect(coerce({ salt: null, length: null })).toEqual({ length: 32, salt: "" });
  });

  it("names the place of a wrong value, also inside lists and maps", () => {
    expect(messageOf({ length: 0 })).toBe(
      "Property error: resources.r.properties.length: 0 is out of range (min: 1, max: 512)",
    );
    expect(messageOf({ bogus: 1 })).toBe(
      "Property error: resources.r.properties: Unknown Property bogus",
    );
    expect(messageOf({ toString: 1 })).toBe(
      "Property error: resources.r.properties: Unknown Property toString",
    );
    expect(messageOf({ classes: [{}, { class: "x" }] })).toBe(
      'Property error: resources.r.properties.classes[1].class: "x" is not an allowed value ["letters", "digits"]',
    );
  });

  it("requires required properties, which a null meets", () => {
    const required = { a: { type: "string", description, required: true } } as const;
    const place = "resources.r.properties";
    expect(failureOf(() => coerceProperties(required, {}, place))?.message).toBe(
      "Property error: resources.r.properties: Property a not assigned",
    );
    expect(coerceProperties(required, { a: null }, place)).toEqual({ a: "" });
  });

  it.each([
    ["integer", 0],
    ["number", 0],
    ["boolean", false],
    ["list", []],
    ["map", {}],
    ["any", null],
  ] as const)("reads a null as Heat does for the type %s", (type, value) => {
    expect(coerceProperties({ a: { type, description } }, { a: null }, "p")).toEqual({ a: value });
  });

  it.each([
    ["string", ""],
    ["integer", 0],
    ["boolean", false],
    ["map", {}],
  ] as const)("reads a null in a list as Heat does for items of the type %s", (type, value) => {
    const schemas = { a: { type: "list", description, items: { type } } } as const;
    expect(coerceProperties(schemas, { a: [null] }, "p")).toEqual({ a: [value] });
  });

  it("reads a null in a list as the default of its items, if they have one", () => {
    const items = { type: "integer", description, default: 7 } as const;
    expect(coerceOne({ type: "list", items }, [null, 1])).toEqual([7, 1]);
  });

  it("keeps every value except null if the type accepts any properties", () => {
    expect(coerceProperties("any", { a: 1, b: null }, "p")).toEqual({ a: 1 });
  });

  it("neither requires nor reads values that are not known yet", () => {
    const required = { a: { type: "integer", description, required: true } } as const;
    expect(coerceProperties(required, { a: "?" }, "p", { deferred: new Set(["a"]) })).toEqual({});
  });

  it("shows nothing of a secret", () => {
    const secret = { secret: new Set(["length", "classes", "salt"]) };
    for (const given of [
      { length: "s3cret" },
      { length: 7777 },
      { classes: "s3cret" },
      { salt: ["s3cret"] },
    ]) {
      const failure = failureOf(() => coerceProperties(schemas, given, "p", secret));
      expect(failure?.message).toContain("******");
      expect(failure?.message).not.toMatch(/s3cret|7777/);
    }
  });
});

describe("types", () => {
  it.each([
    ["integer", "5", 5],
    ["integer", 5.9, 5],
    ["integer", true, 1],
    ["number", " 1_000.5 ", 1000.5],
    ["number", "1e3", new ExactNumber(1000)],
    ["number", "12345678901234567890", new ExactNumber(12345678901234567890n)],
    ["integer", new ExactNumber(1e20), new ExactNumber(100000000000000000000n)],
    ["integer", new ExactNumber(3), 3],
    ["integer", "-123456789012345678", new ExactNumber(-123456789012345678n)],
    ["string", new ExactNumber(10n ** 20n), "100000000000000000000"],
    ["string", false, "False"],
    ["boolean", "TRUE", true],
    ["any", { a: [1] }, { a: [1] }],
  ] as const)("%s reads %j as %j", (type, value, expected) => {
    expect(coerceOne({ type }, value)).toEqual(expected);
  });

  it.each([
    ["integer", "5.5", ": Value '5.5' is not an integer"],
    [
      "integer",
      {},
      ": int() argument must be a string, a bytes-like object or a real number, not 'dict'",
    ],
    ["number", "it's", `: could not convert string to float: 'it's'`],
    ["number", "inf", ": could not convert string to float: 'inf'"],
    ["string", ["a"], ": Value must be a string; got ['a']"],
    ["string", 0.00001, ": Value must be a string; got 1e-05"],
    ["string", new ExactNumber(1e20), ": Value must be a string; got 1e+20"],
    ["string", new ExactNumber(1), ": Value must be a string; got 1.0"],
    ["boolean", "yes", ': "yes" is not a valid boolean'],
    ["boolean", 1, ': "1" is not a valid boolean'],
    ["list", "x", `: "'x'" is not a list`],
    ["map", "x", ': "x" is not a map'],
  ] as const)("%s refuses %j", (type, value, expected) => {
    expect(refusal({ type }, value)).toBe(expected);
  });
});

describe("constraints", () => {
  it("counts code points, items and members", () => {
    const length = { min: 2, max: 2 };
    expect(
      refusal({ type: "string", constraints: [{ length }] }, "\u{1F600}\u{1F600}"),
    ).toBeUndefined();
    expect(refusal({ type: "list", constraints: [{ length }] }, ["a"])).toBe(
      ": length (1) is out of range (min: 2, max: 2)",
    );
  });

  it("checks every item of a list", () => {
    const constraints = [{ allowedValues: ["a", "b"] }];
    expect(refusal({ type: "list", constraints }, ["a", "b", "a"])).toBeUndefined();
    expect(refusal({ type: "list", constraints }, ["a", "c"])).toBe(
      ': ["a", "c"] is not an allowed value ["a", "b"]',
    );
  });

  it.each<[PropertySchema["type"], Json, Json, string]>([
    ["integer", 2, 3, "3"],
    ["boolean", true, false, "false"],
    ["string", "a", "é", '"\\u00e9"'],
  ])("shows a refused %s as JSON", (type, allowed, value, shown) => {
    const constraints = [{ allowedValues: [allowed] }];
    const text = `: ${shown} is not an allowed value [${JSON.stringify(allowed)}]`;
    expect(refusal({ type, constraints }, value)).toBe(text);
  });

  it.each([
    ["[a-z]+", "abc", true],
    ["[a-z]+", "abc1", false],
    ["a|ab", "ab", false],
    ["(?P<x>\\d+)-\\d+", "12-12", true],
    ["\\Aé\\w\\Z", "éß", true],
    ["(?i)abc", "ABC", true],
    ["[\\w\\-.]+@x", "a-b.c@x", true],
    ["a{,2}", "aa", true],
    ["a{,2}", "aaa", false],
    ["a\\{,2}", "a{,2}", true],
    ["[]a]+", "a]", true],
    ["[[]x", "[x", true],
    ["\\u00e9\\U0001f600", "é\u{1F600}", true],
    ["\\S+\\s\\D", "a\u00a0b", true],
    ["^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{4,}$", "abC1", true],
    ["^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{4,}$", "abc1", false],
    ["^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{4,}$", "aB 1", false],
    ["[a-z-]+(?<!-)", "a-b", true],
    ["[a-z-]+(?<!-)", "a-b-", false],
    // In an engine that backtracks, each further letter would double the time.
    ["(a+)+$", `${"a".repeat(5_000)}!`, false],
    ["^$", "", true],
    ["[a-z](?:-?(?=[a-z])[a-z])*", "a-b", true],
    ["[a-z](?:-?(?=[a-z])[a-z])*", "a--b", false],
    ["(['\"]).*\\1", "'a'", true],
    ["(['\"]).*\\1", "'a\"", false],
    ["a$", "a\n", false],
    ["a??", "a", false],
  ])("the pattern %s against %j: %j", (allowedPattern, value, fits) => {
    const message = refusal({ type: "string", constraints: [{ allowedPattern }] }, value);
    expect(message).toBe(
      fits ? undefined : `: "${value}" does not match pattern "${allowedPattern}"`,
    );
  });
});

describe("a pattern that takes too many steps", () => {
  it("refuses the value without showing it", () => {
    const allowedPattern = "(a|a)*\\1b";
    const value = "a".repeat(100);
    expect(refusal({ type: "string", constraints: [{ allowedPattern }] }, value)).toBe(
      `: the pattern "${allowedPattern}" takes too many steps to match`,
    );
  });
});

describe("changedProperties", () => {
  it("replaces when a change cannot be made in place", () => {
    const compare = (before: JsonObject, after: JsonObject) =>
      changedProperties(schemas, before, after);
    expect(compare({ salt: "a", length: 3 }, { salt: "b", length: 3 })).toEqual({
      changed: ["salt"],
      immutable: [],
      replaces: false,
    });
    expect(compare({ salt: "a" }, { salt: "b", length: 3 })).toEqual({
      changed: ["salt", "length"],
      immutable: [],
      replaces: true,
    });
    expect(compare({ gone: 1 }, {})).toEqual({ changed: ["gone"], immutable: [], replaces: true });
  });

  it("names what can never be changed, in order", () => {
    const never: PropertySchemas = {
      b: { type: "string", immutable: true },
      a: { type: "string", immutable: true },
      other: { type: "string", updateAllowed: true },
    };
    expect(changedProperties(never, { a: "1", b: "1" }, { a: "2", b: "2", other: "3" })).toEqual({
      changed: ["a", "b", "other"],
      immutable: ["a", "b"],
      replaces: true,
    });
  });

  it("ignores the order of keys, and changes any property in place", () => {
    const before = { a: { x: 1, y: [2] } };
    expect(changedProperties("any", before, { a: { y: [2], x: 1 } })).toEqual({
      changed: [],
      immutable: [],
      replaces: false,
    });
    expect(changedProperties("any", before, { a: { y: [3], x: 1 } })).toEqual({
      changed: ["a"],
      immutable: [],
      replaces: false,
    });
  });
});
