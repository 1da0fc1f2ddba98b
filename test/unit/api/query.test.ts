import { describe, expect, it } from "vitest";
import {
  ascendingOf,
  boolOf,
  integerOf,
  multiple,
  parseBool,
  queryString,
  single,
  tagsOf,
} from "#lib/api/query.ts";

describe("the query string", () => {
  it("uses the last of repeated values, since older clients repeat a redirect's query", () => {
    expect(single({ a: ["1", "2"] }, "a")).toBe("2");
  });

  it("ignores an empty value", () => {
    expect(single({ a: [""] }, "a")).toBeUndefined();
    expect(multiple({ a: [""] }, "a")).toBeUndefined();
  });

  it("joins the values under both names of a key", () => {
    expect(multiple({ name: ["x"], stack_name: ["y"] }, "name", "stack_name")).toEqual(["x", "y"]);
  });

  it.each(["true", "True", "TRUE"])("reads %s as true", (text) => {
    expect(boolOf({ a: [text] }, "a", false)).toBe(true);
  });

  it("refuses any other boolean with Heat's text", () => {
    expect(() => boolOf({ show_nested: ["yes"] }, "show_nested", false)).toThrow(
      'Unrecognized value "yes" for "show_nested", acceptable values are: true, false.',
    );
    expect(() => parseBool("disable_rollback", 1)).toThrow('Unrecognized value "1"');
  });

  it("accepts only integers that are not negative", () => {
    expect(integerOf({ limit: ["0"] }, "limit")).toBe(0);
    expect(() => integerOf({ limit: ["x"] }, "limit")).toThrow(
      "Only integer is acceptable by 'limit'.",
    );
    expect(() => integerOf({ limit: ["-1"] }, "limit")).toThrow(
      "Value '-1' is invalid for 'limit' which only accepts non-negative integer.",
    );
  });

  it("splits tags at commas and refuses long ones", () => {
    expect(tagsOf({ tags: ["a,b"] }, "tags")).toEqual(["a", "b"]);
    const long = "x".repeat(81);
    expect(() => tagsOf({ tags: [long] }, "tags")).toThrow(
      `Invalid tag, "${long}" is longer than 80 characters`,
    );
  });

  it("reads the direction of sorting", () => {
    expect(ascendingOf({ sort_dir: ["asc"] }, false)).toBe(true);
    expect(ascendingOf({ sort_dir: ["desc"] }, true)).toBe(false);
    expect(ascendingOf({}, true)).toBe(true);
  });

  it("is written with every value, encoded", () => {
    expect(queryString({ a: ["1", "2"], b: ["x y"] })).toBe("?a=1&a=2&b=x+y");
    expect(queryString({})).toBe("");
  });
});
