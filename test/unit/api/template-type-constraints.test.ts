import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, openWorld } from "./api-world.ts";

const bodyWith = (parameter: JsonObject, properties: JsonObject): JsonObject => ({
  stack_name: "web",
  template: {
    heat_template_version: "2021-04-16",
    resources: {
      one: { type: "child.yaml", properties },
      value: { type: "OS::Heat::Value", properties: { value: 5 } },
    },
  },
  files: {
    "child.yaml": JSON.stringify({
      heat_template_version: "2021-04-16",
      parameters: { p: parameter },
    }),
  },
});

const refusal = async (parameter: JsonObject, properties: JsonObject) => {
  const body = bodyWith(parameter, properties);
  return at((await openWorld().send("POST", "/stacks", body)).body, "error", "message");
};

const limited = (type: string, ...constraints: JsonObject[]): JsonObject => ({ type, constraints });

const REFUSED: readonly (readonly [string, JsonObject, Json, string])[] = [
  [
    "a number above a range",
    limited("number", { range: { max: 3 } }),
    4,
    "4 is out of range (min: None, max: 3)",
  ],
  [
    "a text of a number below a range",
    limited("number", { range: { min: 1.5, max: 3 } }),
    "0.5",
    "0.5 is out of range (min: 1.5, max: 3)",
  ],
  [
    "with the author's words",
    limited("number", { range: { max: 3 }, description: "too big" }),
    4,
    "too big",
  ],
  [
    "no multiple",
    limited("number", { modulo: { step: 2, offset: 1 } }),
    4,
    "4 is not a multiple of 2 with an offset of 1",
  ],
  [
    "a text that is not allowed",
    limited("string", { allowed_values: ["a", "b"] }),
    "c",
    '"c" is not an allowed value ["a", "b"]',
  ],
  [
    "a number that is not allowed",
    limited("number", { allowed_values: [1, 2] }),
    "3",
    "3 is not an allowed value [1, 2]",
  ],
  [
    "what allowed values cannot be compared with",
    limited("number", { allowed_values: ["x"] }),
    "3",
    'Value "x" is invalid for data type "Number".',
  ],
  [
    "a truth value that is not allowed",
    limited("boolean", { allowed_values: [true] }),
    "false",
    "false is not an allowed value [true]",
  ],
  [
    "a text of items that are not allowed",
    limited("comma_delimited_list", { allowed_values: ["a", "b"] }),
    "a,c",
    '["a", "c"] is not an allowed value ["a", "b"]',
  ],
  [
    "a list of numbers where texts are allowed",
    limited("comma_delimited_list", { allowed_values: ["1", "2"] }),
    [1, 2],
    '[1, 2] is not an allowed value ["1", "2"]',
  ],
  [
    "a short text",
    limited("string", { length: { min: 3 } }),
    "ab",
    "length (2) is out of range (min: 3, max: None)",
  ],
  [
    "a short number for a text",
    limited("string", { length: { min: 3 } }),
    12,
    "length (2) is out of range (min: 3, max: None)",
  ],
  [
    "too many items",
    limited("comma_delimited_list", { length: { max: 1 } }),
    "a,b",
    "length (2) is out of range (min: None, max: 1)",
  ],
  [
    "no items",
    limited("comma_delimited_list", { length: { min: 1 } }),
    "",
    "length (0) is out of range (min: 1, max: None)",
  ],
  [
    "too many members",
    limited("json", { length: { max: 1 } }),
    { a: 1, b: 2 },
    "length (2) is out of range (min: None, max: 1)",
  ],
  [
    "the text of a map, by its characters",
    limited("json", { length: { max: 7 } }),
    '{"a": 1}',
    "length (8) is out of range (min: None, max: 7)",
  ],
  [
    "a list for a map, by the characters of its text",
    limited("json", { length: { max: 3 } }),
    [1, 2],
    "length (6) is out of range (min: None, max: 3)",
  ],
  [
    "a text beside the pattern",
    limited("string", { allowed_pattern: "[a-z]+" }),
    "A1",
    '"A1" does not match pattern "[a-z]+"',
  ],
  [
    "a custom constraint",
    limited("string", { custom_constraint: "ip_addr" }),
    "300.1.1.1",
    "Error validating value '300.1.1.1': Invalid IP address",
  ],
  [
    "an unknown custom constraint",
    limited("string", { custom_constraint: "no.such" }),
    "x",
    '"x" does not validate no.such (constraint not found)',
  ],
  [
    "the first of two",
    limited("string", { length: { max: 1 } }, { allowed_pattern: "[a-z]" }),
    "AA",
    "length (2) is out of range (min: None, max: 1)",
  ],
  [
    "a null, as an empty text",
    { ...limited("string", { allowed_values: ["a"] }), default: "a" },
    null,
    '"" is not an allowed value ["a"]',
  ],
  ["a map for a list", { type: "comma_delimited_list" }, { a: 1 }, "\"{'a': 1}\" is not a list"],
  ["a number for a list", { type: "comma_delimited_list" }, 3, '"3" is not a list'],
  ["a number for a map", { type: "json" }, 3, '"3" is not a map'],
];

describe("the constraints of a template type's parameters", () => {
  it.each(REFUSED)("refuse %s before anything is made", async (_, parameter, value, reason) => {
    expect(await refusal(parameter, { p: value })).toBe(
      `Property error: resources.one.properties.p: ${reason}`,
    );
  });

  it.each<readonly [string, JsonObject, Json]>([
    ["a number's text", limited("string", { allowed_values: [1, 2] }), "1"],
    ["items in a text", limited("comma_delimited_list", { allowed_values: ["a", "b"] }), "a,b"],
    ["a list for a map", { type: "json" }, [1, 2]],
    [
      "what another resource gives",
      limited("number", { range: { max: 3 } }),
      { get_attr: ["value", "value"] },
    ],
  ])("accept %s", async (_, parameter, value) => {
    expect(await refusal(parameter, { p: value })).toBeUndefined();
  });

  it.each([
    ["string", { range: { max: 3 } }, "Range constraint invalid for String"],
    ["number", { length: { max: 3 } }, "Length constraint invalid for Number"],
    [
      "comma_delimited_list",
      { allowed_pattern: "a" },
      "AllowedPattern constraint invalid for List",
    ],
    ["json", { allowed_values: ["a"] }, "AllowedValues constraint invalid for Map"],
  ])("must fit a %s", async (type, constraint, reason) => {
    expect(await refusal(limited(type, constraint), { p: "x" })).toBe(reason);
  });

  it("fail the resource whose value another one gives", async () => {
    const world = openWorld();
    const given = { p: { get_attr: ["value", "value"] } };
    const body = bodyWith(limited("number", { range: { max: 3 } }), given);
    const { body: answer } = await world.send("POST", "/stacks", body);
    await world.settle();
    const path = `/stacks/web/${at(answer, "stack", "id")}`;
    expect(at((await world.send("GET", path)).body, "stack", "stack_status_reason")).toContain(
      "Property error: resources.one.properties.p: ****** is out of range (min: None, max: 3)",
    );
  });
});
