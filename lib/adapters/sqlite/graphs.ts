import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Store } from "#lib/ports/store.ts";
import { type Database, recordOf } from "./database.ts";

const CACHED_GRAPHS_MAX = 16;
/** Of all of them; the newest stays however large it is. */
const CACHED_NODES_MAX = 100_000;

/** Graphs never change, so that the parsed ones are kept: every visit of a traversal gets the same object. */
export const sqliteGraphs = (database: Database): Pick<Store, "putGraph" | "getGraph"> => {
  const cache = new Map<string, ConvergenceGraph>();
  const keep = (graph: ConvergenceGraph): ConvergenceGraph => {
    const key = `${graph.stackId}/${graph.traversalId}`;
    cache.delete(key);
    cache.set(key, graph);
    let nodes = 0;
    for (const kept of cache.values()) nodes += kept.nodes.length;
    for (const [oldest, kept] of cache) {
      const isSmall = cache.size <= CACHED_GRAPHS_MAX && nodes <= CACHED_NODES_MAX;
      if (isSmall || oldest === key) break;
      cache.delete(oldest);
      nodes -= kept.nodes.length;
    }
    return graph;
  };
  const read = (stackId: string, traversalId: string): ConvergenceGraph | null => {
    const cached = cache.get(`${stackId}/${traversalId}`);
    if (cached) return keep(cached);
    const row = database.get(
      "SELECT body FROM graphs WHERE stack_id = ? AND traversal_id = ?",
      stackId,
      traversalId,
    );
    return row && keep(recordOf<ConvergenceGraph>(row));
  };

  return {
    putGraph: async (graph) => {
      const { stackId, traversalId } = graph;
      const inserted = database.run(
        "INSERT INTO graphs (stack_id, traversal_id, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        stackId,
        traversalId,
        JSON.stringify(graph),
      );
      return inserted === 1 ? keep(graph) : (read(stackId, traversalId) ?? graph);
    },
    getGraph: async (stackId, traversalId) => read(stackId, traversalId),
  };
};
