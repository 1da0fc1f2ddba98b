import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { aTemplate, evaluate } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const repeat = (template: Json, forEach: JsonObject, more: JsonObject = {}, version?: string) =>
  evaluate({ repeat: { template, for_each: forEach, ...more } }, {}, version);

const refusal = (args: Json, version?: string) =>
  failureOf(() => aTemplate({ outputs: { o: { value: { repeat: args } } } }, version))?.message;

const problem = (run: () => unknown) => failureOf(run)?.message;

const digits = Array.from("0123456789");

describe("repeat", () => {
  it("makes all combinations, and the last list varies fastest", () => {
    expect(repeat("%a%%b%", { "%a%": ["1", "2"], "%b%": ["x", "y", "z"] })).toEqual(
      "1x 1y 1z 2x 2y 2z".split(" "),
    );
    expect(repeat("%a%", { "%a%": ["1"], "%b%": [] })).toEqual([]);
  });

  it("takes lists of one length side by side", () => {
    const more = { permutations: false };
    expect(repeat("%a%%b%", { "%a%": ["1", "2"], "%b%": ["x", "y"] }, more)).toEqual(["1x", "2y"]);
    expect(problem(() => repeat("%a%", { "%a%": ["1"], "%b%": [] }, more))).toBe(
      "here: For repeat, the length of for_each values should be equal if no nested loop.",
    );
    expect(refusal({ template: "", for_each: {}, permutations: null })).toBe(
      'outputs.o.value.repeat: "permutations" should be boolean type for repeat function.',
    );
  });

  it("takes the keys of a map since 2016-10-14", () => {
    expect(repeat("%k%", { "%k%": { b: 1, a: 2 } })).toEqual(["b", "a"]);
    expect(problem(() => repeat("%k%", { "%k%": {} }, {}, "2016-04-08"))).toBe(
      'here: The values of the "for_each" argument to "repeat" must be lists',
    );
    expect(problem(() => repeat("%k%", { "%k%": {} }, { permutations: false }))).toBe(
      'here: The values of the "for_each" argument to "repeat" must be lists',
    );
  });

  it("replaces variable after variable, in keys too", () => {
    expect(repeat({ ab: ["a", 1] }, { a: ["b"], b: ["c"] })).toEqual([{ cc: ["c", 1] }]);
  });

  it("replaces an empty variable around each character", () => {
    expect(repeat("a\u{1d11e}", { "": ["-"] })).toEqual(["-a-\u{1d11e}-"]);
  });

  it("inserts dollar signs as they are, and keys that JavaScript knows", () => {
    expect(repeat("%a%", { "%a%": ["$&"] })).toEqual(["$&"]);
    const [made] = [repeat({ k: 1 }, { k: ["__proto__"] })].flat();
    expect(JSON.stringify(made)).toBe('{"__proto__":1}');
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  });

  it("takes values that are no texts only where the template has no text", () => {
    expect(repeat([5, null], { a: [1, {}] })).toEqual([
      [5, null],
      [5, null],
    ]);
    expect(problem(() => repeat("x", { a: [1] }))).toBe(
      "here: replace() argument 2 must be str, not int",
    );
  });

  it("refuses a call without its members, and lists that are in no map", () => {
    expect(refusal({ template: "x" })).toContain(`'"repeat" syntax should be repeat:\\n`);
    expect(refusal([])).toBe('outputs.o.value.repeat: Arguments to "repeat" must be a map');
    expect(refusal({ template: "x", for_each: ["a"] })).toBe(
      'outputs.o.value.repeat: The "for_each" argument to "repeat" must contain a map',
    );
    expect(problem(() => repeat("x", {}))).toBe(
      "here: not enough values to unpack (expected 2, got 0)",
    );
  });
});

describe("the limits of repeat", () => {
  const tooLarge = 'here: The result of "repeat" is too large: a value may have 1048576 bytes.';
  const lists = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`%${index}%`, digits]));

  it("refuses a million combinations, and far more, before it makes one", () => {
    for (const count of [6, 300, 1000])
      expect(problem(() => repeat(1, lists(count)))).toBe(tooLarge);
  });

  it("refuses variables that multiply each other", () => {
    const growing = Object.fromEntries(
      digits.map((digit) => [digit, [String(+digit + 1).repeat(9)]]),
    );
    expect(problem(() => repeat("0", growing))).toBe(tooLarge);
  });

  it("refuses many texts that are large together", () => {
    const template = Array.from({ length: 1000 }, () => "v");
    expect(problem(() => repeat(template, { v: ["x".repeat(100_000)] }))).toBe(tooLarge);
  });

  it("refuses to search for hours what becomes nothing", () => {
    const template = "v".repeat(100_000);
    const items = Array.from({ length: 100_000 }, () => "");
    expect(problem(() => repeat(template, { v: items }))).toMatch(/^here: "repeat" searches too/);
    const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${at}`, at]));
    const nothing = Object.fromEntries(digits.map((digit) => [digit, [""]]));
    const many = { ...nothing, x: items };
    expect(problem(() => repeat(keys, many))).toMatch(
      /^here: (?:"repeat" searches too|The result)/,
    );
  });

  it("gives a result just below the limit", () => {
    const items = Array.from({ length: 10_000 }, () => "x".repeat(100));
    expect(repeat("v", { v: items })).toHaveLength(10_000);
  });
});
