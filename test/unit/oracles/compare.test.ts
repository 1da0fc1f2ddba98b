import { describe, expect, it } from "vitest";
import { parseJson } from "#lib/json.ts";
import { differencesOf } from "#test/oracles/compare.ts";

const pathsOf = (expected: string, got: string) =>
  differencesOf(parseJson(expected), parseJson(got)).map(({ path, kind }) => `${path}: ${kind}`);

describe("the comparison with a recorded answer", () => {
  it("finds nothing in documents whose keys have another order", () => {
    expect(pathsOf('{"a": 1, "b": [null, 1.0]}', '{"b": [null, 1.0], "a": 1}')).toEqual([]);
  });

  it("names the path of a missing key, of one too many and of another value", () => {
    expect(pathsOf('{"a": {"b": 1}, "c": [1, 2]}', '{"a": {"d": 1}, "c": [1, 3]}')).toEqual([
      "a.b: missing",
      "a.d: not in Heat",
      "c[1]: another value",
    ]);
  });

  it("tells a key that is null from one that is missing", () => {
    expect(pathsOf('{"a": null}', "{}")).toEqual(["a: missing"]);
    expect(pathsOf("{}", '{"a": null}')).toEqual(["a: not in Heat"]);
  });

  it("tells numbers, texts and truth values apart", () => {
    expect(pathsOf("[1, 1, 1]", '["1", true, 1.0]')).toEqual([
      "[0]: another value",
      "[1]: another value",
      "[2]: another value",
    ]);
  });

  it("compares the length of lists first", () => {
    expect(pathsOf('{"a": [1]}', '{"a": [1, 2]}')).toEqual(["a: another length"]);
  });
});
