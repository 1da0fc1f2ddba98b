import { expect, it } from "vitest";
import { CACHED_GRAPHS_BYTES_MAX, graphCache } from "#lib/adapters/graph-cache.ts";
import { aGraph } from "./records.ts";

it("the graph cache drops the least recently used graphs above its bound in bytes", () => {
  const cache = graphCache();
  const graphs = [aGraph(), aGraph(), aGraph()] as const;
  const find = (graph: (typeof graphs)[number]) => cache.get(graph.stackId, graph.traversalId);
  const half = CACHED_GRAPHS_BYTES_MAX / 2;
  cache.keep(graphs[0], half);
  cache.keep(graphs[1], half);
  expect(find(graphs[0])).toBe(graphs[0]);
  cache.keep(graphs[2], half);
  expect(graphs.map(find)).toEqual([graphs[0], null, graphs[2]]);
});

it("the graph cache keeps a graph that is larger than its bound, and no other", () => {
  const cache = graphCache();
  const [small, large] = [aGraph(), aGraph()];
  cache.keep(small, 1);
  cache.keep(large, 2 * CACHED_GRAPHS_BYTES_MAX);
  expect(cache.get(small.stackId, small.traversalId)).toBeNull();
  expect(cache.get(large.stackId, large.traversalId)).toBe(large);
});
