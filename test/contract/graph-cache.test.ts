import { expect, it } from "vitest";
import { CACHED_GRAPH_PARTS_BYTES_MAX, graphPartCache } from "#lib/adapters/graph-cache.ts";
import { aGraphPart } from "./records.ts";

it("the cache drops the least recently used parts of graphs above its bound in bytes", () => {
  const cache = graphPartCache();
  const parts = [aGraphPart(), aGraphPart(), aGraphPart()] as const;
  const names = ["nodes 0", "nodes 1", "nodes 2"] as const;
  const half = CACHED_GRAPH_PARTS_BYTES_MAX / 2;
  cache.keep(["build", names[0]], parts[0], half);
  cache.keep(["build", names[1]], parts[1], half);
  expect(cache.get("build", names[0])).toBe(parts[0]);
  cache.keep(["build", names[2]], parts[2], half);
  expect(names.map((name) => cache.get("build", name))).toEqual([parts[0], null, parts[2]]);
});

it("the cache keeps a part that is larger than its bound, and no other", () => {
  const cache = graphPartCache();
  const [small, large] = [aGraphPart(), aGraphPart()];
  cache.keep(["build", "small"], small, 1);
  cache.keep(["build", "large"], large, 2 * CACHED_GRAPH_PARTS_BYTES_MAX);
  expect(cache.get("build", "small")).toBeNull();
  expect(cache.get("build", "large")).toBe(large);
});
