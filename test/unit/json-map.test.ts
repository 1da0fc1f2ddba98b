import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapOf, mergedMaps } from "#lib/json.ts";

const keys = fc.oneof(fc.string(), fc.nat(20).map(String), fc.constant("__proto__"));
const entryLists = fc.array(fc.tuple(keys, fc.nat()));

const writable = (map: object): boolean =>
  Object.getOwnPropertyDescriptor(map, "b")?.writable ?? false;

describe("a map", () => {
  it("has the entries of a Map of them, in the same order", () => {
    fc.assert(
      fc.property(entryLists, (entries) => {
        const map = mapOf(entries);
        expect(Object.entries(map)).toEqual([...new Map(entries)]);
        expect(Object.keys(map)).toEqual([...new Map(entries).keys()]);
        const walked: string[] = [];
        for (const key in map) walked.push(key);
        expect(walked).toEqual(Object.keys(map));
        const text = [...new Map(entries)].map(([key, one]) => `${JSON.stringify(key)}:${one}`);
        expect(JSON.stringify({ map })).toBe(`{"map":{${text.join(",")}}}`);
      }),
    );
  });

  it("of several maps is what Python's {**first, **second} is", () => {
    fc.assert(
      fc.property(fc.array(entryLists), (lists) => {
        const merged = mergedMaps(null, ...lists.map((entries) => mapOf(entries)), undefined);
        expect(Object.entries(merged)).toEqual([...new Map(lists.flat())]);
      }),
    );
  });

  it("may be made of a Map", () => {
    expect(
      Object.keys(
        mapOf(
          new Map([
            ["2", 1],
            ["1", 2],
          ]),
        ),
      ),
    ).toEqual(["2", "1"]);
  });

  it("is a plain object if that has the same order", () => {
    expect(
      writable(
        mapOf([
          ["a", 1],
          ["b", 2],
        ]),
      ),
    ).toBe(true);
    expect(
      writable(
        mapOf([
          ["0", 1],
          ["10", 2],
          ["b", 3],
        ]),
      ),
    ).toBe(true);
    expect(
      writable(
        mapOf([
          ["b", 3],
          ["0", 1],
        ]),
      ),
    ).toBe(false);
  });

  it("with an order of its own takes no more members", () => {
    const map = mapOf([
      ["b", 3],
      ["0", 1],
    ]);
    expect(() => Object.defineProperty(map, "c", { value: 1 })).toThrow(TypeError);
    expect(Object.isFrozen(map)).toBe(true);
    expect(Object.hasOwn(map, "0")).toBe(true);
    expect("toString" in map).toBe(true);
    expect(Object.hasOwn(map, "toString")).toBe(false);
  });
});
