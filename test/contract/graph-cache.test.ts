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

it("who asks for a record while it is read shares the read, if that finds it", async () => {
  const cache = graphPartCache();
  const part = aGraphPart();
  let reads = 0;
  const ask = (answer: Promise<boolean>) =>
    cache.getOr(["build", "nodes 0"], async () => {
      reads++;
      return (await answer) ? cache.keep(["build", "nodes 0"], part, 1) : null;
    });
  const early = Promise.withResolvers<boolean>();
  const before = ask(early.promise);
  const meanwhile = [ask(Promise.resolve(true)), ask(Promise.resolve(true))];
  early.resolve(false);
  expect(await before).toBeNull();
  expect(await Promise.all(meanwhile)).toEqual([part, part]);
  expect(reads).toBe(2);
  expect(await ask(Promise.resolve(false))).toBe(part);
  expect(reads).toBe(2);
});

it("a record that could not be read is read anew", async () => {
  const cache = graphPartCache();
  const part = aGraphPart();
  const ask = (read: () => Promise<typeof part>) => cache.getOr(["build", "nodes 0"], read);
  await expect(ask(() => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
  expect(await ask(async () => part)).toBe(part);
});
