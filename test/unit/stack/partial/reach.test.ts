import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { inTurns } from "#lib/stack/in-turns.ts";
import { LET_GO_MAX } from "#lib/stack/limits.ts";
import { reaching } from "#lib/stack/partial/reach.ts";
import { target } from "../targets.ts";

const definition = (refers: readonly string[], after: readonly string[]): JsonObject => ({
  properties: Object.fromEntries(refers.map((name) => [`to_${name}`, { get_resource: name }])),
  depends_on: [...after],
});

const reached = async (
  resources: Readonly<Record<string, JsonObject>>,
  news: readonly string[],
  before = resources,
): Promise<string> => {
  const [former, wanted] = [await target({ resources: before }), await target({ resources })];
  const names = await inTurns({}, reaching(former.template, wanted.template, new Set(news)));
  return [...names].sort().join(" ");
};

describe("P24: what a change reaches", () => {
  it("goes on over references, not over order", async () => {
    const resources = {
      a: {},
      b: definition(["a"], []),
      c: definition(["b"], []),
      d: definition([], ["a"]),
      e: definition(["d"], []),
      f: definition(["a"], ["a"]),
    };
    expect(await reached(resources, ["a"])).toBe("a b c f");
    expect(await reached(resources, ["d"])).toBe("d e");
    expect(await reached(resources, [])).toBe("");
  });

  it("goes on over attributes, metadata and names that are computed", async () => {
    const resources = {
      a: {},
      b: { properties: { p: { get_attr: ["a", "x"] } } },
      c: { metadata: { m: { get_resource: "a" } } },
      d: {
        properties: {
          p: { str_replace: { template: "$x", params: { $x: { get_resource: "a" } } } },
        },
      },
    };
    expect(await reached(resources, ["a"])).toBe("a b c d");
  });

  it("goes through those that stand between two", async () => {
    const resources = {
      a: {},
      b: definition([], ["a"]),
      c: definition([], ["b"]),
      d: definition([], ["c"]),
      other: definition([], ["a"]),
    };
    expect(await reached(resources, ["a", "c"])).toBe("a b c");
    expect(await reached(resources, ["a", "d"])).toBe("a b c d");
  });

  it("goes by the order of the former definitions too", async () => {
    const before = { a: {}, b: definition([], ["a"]), c: definition([], ["b"]) };
    expect(await reached({ a: {}, b: {}, c: {} }, ["a", "c"], before)).toBe("a b c");
    expect(await reached({ a: {}, b: {} }, ["a"], before)).toBe("a b");
  });

  it("takes in what waits for very many, and what stands between, not who refers to it", async () => {
    const leaves = Array.from({ length: LET_GO_MAX + 1 }, (_, at) => `leaf${at}`);
    const resources = {
      ...Object.fromEntries(leaves.map((name) => [name, {}])),
      beside: definition([], ["leaf0"]),
      between: definition([], ["leaf0"]),
      holder: definition([], [...leaves, "between"]),
      user: definition(["holder"], []),
    };
    const most = leaves.slice(1);
    expect(await reached(resources, most)).toBe(most.toSorted().join(" "));
    const all = [...leaves, "between", "holder"];
    expect(await reached(resources, leaves)).toBe(all.toSorted().join(" "));
  });

  it("is what the definition says, for any graph", async () => {
    const NAMES = ["a", "b", "c", "d", "e", "f", "g"];
    const anyGraph = fc.array(fc.constantFrom("none", "refers", "after"), {
      minLength: NAMES.length ** 2,
      maxLength: NAMES.length ** 2,
    });
    const anyNews = fc.subarray(NAMES);
    await fc.assert(
      fc.asyncProperty(anyGraph, anyNews, async (kinds, news) => {
        const edges = NAMES.flatMap((from, at) =>
          NAMES.slice(0, at).map((to, other) => ({
            from,
            to,
            kind: kinds[at * NAMES.length + other],
          })),
        ).filter(({ kind }) => kind !== "none");
        const names = (from: string, kind: string) =>
          edges.filter((one) => one.from === from && one.kind === kind).map(({ to }) => to);
        const resources = Object.fromEntries(
          NAMES.map((name) => [name, definition(names(name, "refers"), names(name, "after"))]),
        );
        const path = (from: string, to: string): boolean =>
          edges.some((one) => one.from === from && (one.to === to || path(one.to, to)));
        const refers = (from: string, to: string): boolean =>
          names(from, "refers").some((next) => next === to || refers(next, to));
        const changed = NAMES.filter(
          (name) => news.includes(name) || news.some((one) => refers(name, one)),
        );
        const expected = NAMES.filter(
          (name) =>
            changed.includes(name) ||
            (changed.some((one) => path(name, one)) && changed.some((one) => path(one, name))),
        );
        expect(await reached(resources, news)).toBe(expected.join(" "));
      }),
      { numRuns: 200 },
    );
  });
});
