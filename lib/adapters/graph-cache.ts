/**
 * Graphs never change, so a worker keeps the parsed ones: every visit of a traversal gets the same
 * object.
 */
import { LRUCache } from "lru-cache";
import type { ConvergenceGraph } from "#lib/model/graph.ts";

/** Measured as JSON. The parsed objects take about three times that. */
export const CACHED_GRAPHS_BYTES_MAX = 32 * 1024 * 1024;

export interface GraphCache {
  get(stackId: string, traversalId: string): ConvergenceGraph | null;
  /** `bytes` is the graph's length as JSON. */
  keep(graph: ConvergenceGraph, bytes: number): ConvergenceGraph;
}

export const graphCache = (): GraphCache => {
  const graphs = new LRUCache<string, ConvergenceGraph>({ maxSize: CACHED_GRAPHS_BYTES_MAX });
  const nameOf = (stackId: string, traversalId: string): string => `${stackId}/${traversalId}`;
  return {
    get: (stackId, traversalId) => graphs.get(nameOf(stackId, traversalId)) ?? null,
    keep: (graph, bytes) => {
      // A graph that is larger than the cache fills it: its many visits need it most.
      const size = Math.min(bytes, CACHED_GRAPHS_BYTES_MAX);
      graphs.set(nameOf(graph.stackId, graph.traversalId), graph, { size });
      return graph;
    },
  };
};
