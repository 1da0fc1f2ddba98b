import { describe, expect, it } from "vitest";
import { integerOf, type Json, parseJson } from "#lib/json.ts";
import { equalityText, pythonEquals } from "#lib/template/python-values.ts";
import { aTemplate, evaluate } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const problem = (snippet: Json) => failureOf(() => evaluate(snippet))?.message;
const refusal = (value: Json, version?: string) =>
  failureOf(() => aTemplate({ outputs: { o: { value } } }, version))?.message;

describe("Python's equality", () => {
  const float = parseJson("1.0");

  it("holds between true, 1 and 1.0, also inside of lists and maps", () => {
    expect(pythonEquals(1, true)).toBe(true);
    expect(pythonEquals([{ a: float }], [{ a: true }])).toBe(true);
    expect(pythonEquals(parseJson("-0.0"), false)).toBe(true);
    expect(pythonEquals({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  });

  it("does not hold between a number and its text, or null and what is empty", () => {
    expect(pythonEquals(1, "1")).toBe(false);
    expect(pythonEquals(null, false)).toBe(false);
    expect(pythonEquals([], {})).toBe(false);
  });

  it("compares integers of any size exactly", () => {
    const big = integerOf(10n ** 30n) ?? 0;
    expect(equalityText(big)).not.toBe(equalityText(integerOf(10n ** 30n + 1n)));
    expect(pythonEquals(big, parseJson("1e30"))).toBe(false);
    expect(pythonEquals(parseJson("1e20"), parseJson("100000000000000000000"))).toBe(true);
  });
});

describe("filter", () => {
  it("leaves out what equals one of the values in Python", () => {
    expect(
      evaluate({
        filter: [
          [1, { k: [] }],
          [true, "1", { k: [] }, null],
        ],
      }),
    ).toEqual(["1", null]);
  });

  it("gives a list back that is empty, and refuses what is no list", () => {
    expect(evaluate({ filter: ["x", ""] })).toBe("");
    expect(problem({ filter: ["x", "y"] })).toBe('here: "filter" only works with lists');
    expect(problem({ filter: ["x", ["y"]] })).toBe('here: "filter" filters a list of values');
    expect(refusal({ filter: [1] })).toBe(
      'outputs.o.value.filter: "filter" expected 2 arguments of the form [values, sequence] but got 1 arguments instead',
    );
  });
});

describe("list_concat", () => {
  it("leaves out null, and keeps what is equal unless asked", () => {
    expect(evaluate({ list_concat: [[1], null, [true, [2]]] })).toEqual([1, true, [2]]);
    expect(evaluate({ list_concat_unique: [[1], [true, "1"], [[2], [2]]] })).toEqual([1, "1", [2]]);
  });

  it("shows all lists in its error", () => {
    expect(problem({ list_concat: [["é"], { b: 1, a: null }] })).toBe(
      'here: Incorrect arguments: Items to concat must be lists. [["\\u00e9"], {"b": 1, "a": null}] contains an item that is not a list: {"b": 1, "a": null}',
    );
  });

  it("refuses a list that is too large before it makes it", () => {
    const list = Array.from({ length: 100_000 }, () => 1);
    expect(problem({ list_concat: [list, list, list, list, list, list] })).toBe(
      'here: The result of "list_concat" is too large: a value may have 1048576 bytes.',
    );
  });
});

describe("contains", () => {
  it("looks for an equal item, or for a part of a text", () => {
    expect(evaluate({ contains: [1, ["1", true]] })).toBe(true);
    expect(evaluate({ contains: [{}, [[]]] })).toBe(false);
    expect(evaluate({ contains: ["", "abc"] })).toBe(true);
    expect(problem({ contains: [1, "1"] })).toBe(
      "here: 'in <string>' requires string as left operand, not int",
    );
    expect(problem({ contains: ["a", { a: 1 }] })).toBe(
      'here: Second argument to "contains" should be a sequence.',
    );
  });
});

describe("map_merge", () => {
  it("lets the last map win, and leaves out null", () => {
    const merged = evaluate({ map_merge: [{ a: 1, b: { x: 1 } }, null, { b: { y: 2 } }] });
    expect(merged).toEqual({ a: 1, b: { y: 2 } });
    expect(evaluate({ map_merge: "" })).toEqual({});
  });

  it("keeps a key that JavaScript knows as a key", () => {
    const hostile = parseJson('{"__proto__": {"polluted": true}, "constructor": 1}');
    const merged = evaluate({ map_merge: [{ a: 1 }, hostile] });
    expect(JSON.stringify(merged)).toBe('{"a":1,"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });

  it("names the type of what is no map, and shortens its text", () => {
    expect(problem({ map_merge: [{}, 1.5] })).toBe(
      "here: Incorrect arguments: Items to merge must be maps. 1.5 is type <class 'float'> instead of a dict",
    );
    expect(problem({ map_merge: ["x".repeat(300)] })).toBe(
      `here: Incorrect arguments: Items to merge must be maps. '${"x".repeat(199)} is type <class 'str'> instead of a dict`,
    );
    expect(problem({ map_merge: "xy" })).toContain("maps. 'x' is type");
  });
});

describe("map_replace", () => {
  const replace = (map: Json, replacements: Json) => evaluate({ map_replace: [map, replacements] });

  it("replaces keys, and values that are texts", () => {
    const values = { v: null, "1": "one" };
    expect(replace({ a: "v", b: 1, c: ["v"] }, { keys: { a: "A" }, values })).toEqual({
      A: null,
      b: 1,
      c: ["v"],
    });
    expect(replace({ a: 1 }, { keys: { a: null }, values: null })).toEqual({ a: 1 });
    expect(replace(null, null)).toEqual({});
  });

  it("writes keys that are no texts as JSON does", () => {
    expect(replace({ a: 1, b: 2 }, { keys: { a: true, b: 1.5 } })).toEqual({ true: 1, "1.5": 2 });
  });

  it("refuses keys that meet", () => {
    const collides = (where: string) =>
      `here: key replacement b collides with a key in the ${where} map`;
    expect(problem({ map_replace: [{ a: 1, b: 2 }, { keys: { a: "b" } }] })).toBe(
      collides("input"),
    );
    expect(problem({ map_replace: [{ a: 1, c: 2 }, { keys: { a: "b", c: "b" } }] })).toBe(
      collides("output"),
    );
    expect(problem({ map_replace: [{ a: 1 }, { keys: { a: [] } }] })).toBe(
      "here: unhashable type: 'list'",
    );
  });

  it("does not find replacements among the members that every object of JavaScript has", () => {
    expect(replace({ toString: "constructor" }, { keys: {}, values: {} })).toEqual({
      toString: "constructor",
    });
  });
});

describe("str_split", () => {
  const split = (...args: Json[]) => evaluate({ str_split: args });

  it("gives all parts, or one", () => {
    expect(split(",", "a,,b")).toEqual(["a", "", "b"]);
    expect([split(",", "a,b", -1), split(",", "a,b", "1"), split(",", "a,b", true)]).toEqual(
      Array.from("bbb"),
    );
    expect(split(",", "a,b", 1.7)).toBe("b");
    expect(split(",", null, "x")).toBeNull();
  });

  it("splits at Python's spaces without a delimiter", () => {
    expect(split(null, " a\u001c\u0085b\u3000 c\ufeff ")).toEqual(["a", "b", "c\ufeff"]);
  });

  it("gives Heat's errors and Python's", () => {
    expect(problem({ str_split: [",", "a,b", 2] })).toBe(
      'here: Incorrect index to "str_split" should be between 0 and 1',
    );
    expect(problem({ str_split: [",", "a,b", "x"] })).toBe(
      'here: Incorrect index to "str_split" should be: "str_split" : [ ",", "apples,pears", <index>]',
    );
    expect(problem({ str_split: ["", "a"] })).toBe("here: empty separator");
    expect(problem({ str_split: [1, "a"] })).toBe("here: must be str or None, not int");
    expect(problem({ str_split: [",", 1] })).toBe("here: 'int' object has no attribute 'split'");
  });

  it("refuses more parts than a value may have before it makes them", () => {
    expect(problem({ str_split: [",", ",".repeat(400_000)] })).toBe(
      'here: The result of "str_split" is too large: a value may have 1048576 bytes.',
    );
    expect(split(",", ",".repeat(400_000), -1)).toBe("");
  });
});
