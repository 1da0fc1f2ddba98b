import type { ConvergenceGraph } from "#lib/convergence/model.ts";
import type { Store } from "#lib/ports/store.ts";
import { type Database, recordOf } from "./database.ts";

const CACHED_GRAPHS_MAX = 16;

/** Graphs never change, so that the parsed ones are kept: every visit of a traversal gets the same object. */
export const sqliteGraphs = (database: Database): Pick<Store, "putGraph" | "getGraph"> => {
  const cache = new Map<string, ConvergenceGraph>();
  const keep = (graph: ConvergenceGraph): ConvergenceGraph => {
    const key = `${graph.stackId}/${graph.traversalId}`;
    cache.delete(key);
    cache.set(key, graph);
    for (const oldest of cache.keys()) {
      if (cache.size <= CACHED_GRAPHS_MAX) break;
      cache.delete(oldest);
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
