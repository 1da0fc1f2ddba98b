import { describe, expect, it } from "vitest";
import { changedAt, placeIn, valueAt } from "#lib/authoring/document-path.ts";

const TEXT = `a:
  b: [x, {c: 1}]
  "d.e":
    - f
base: &base {g: 1}
merged: {<<: *base, h: 2}
`;

describe("the place of a path in a text", () => {
  it.each([
    [[], 1, 1],
    [["a"], 1, 1],
    [["a", "b"], 2, 3],
    [["a", "b", 1], 2, 10],
    [["a", "b", 1, "c"], 2, 11],
    [["a", "d.e", 0], 4, 7],
    [["merged", "g"], 6, 1],
    [["merged", "h"], 6, 21],
    [["missing"], 1, 1],
  ])("%j: line %i, column %i", (path, line, column) => {
    expect(placeIn(TEXT, path)).toEqual({ line, column });
  });

  it("counts characters, and reads JSON", () => {
    expect(placeIn('{"\u{1f600}": {"b": 1}}', ["\u{1f600}", "b"])).toEqual({ line: 1, column: 8 });
  });
});

describe("a document", () => {
  const document = { a: { b: [1, { c: 2 }] }, d: 3 };

  it("has values at paths", () => {
    expect(valueAt(document, ["a", "b", 1, "c"])).toBe(2);
    expect(valueAt(document, ["a", "toString"])).toBeUndefined();
  });

  it("is changed at a path, and stays as it is", () => {
    expect(changedAt(document, ["a", "b"], null)).toEqual({ a: { b: null }, d: 3 });
    expect(changedAt(document, ["a", "b"], undefined)).toEqual({ a: {}, d: 3 });
    expect(document.a.b).toHaveLength(2);
  });
});
