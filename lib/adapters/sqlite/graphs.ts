import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Graphs } from "#lib/ports/store.ts";
import { graphCache } from "../graph-cache.ts";
import { type Database, recordOf, textOf } from "./database.ts";

const GET = "SELECT body FROM graphs WHERE stack_id = ? AND traversal_id = ?";
const INSERT =
  "INSERT INTO graphs (stack_id, traversal_id, body, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";

export const sqliteGraphs = (database: Database): Graphs => {
  const cache = graphCache();
  const read = (stackId: string, traversalId: string): ConvergenceGraph | null => {
    const cached = cache.get(stackId, traversalId);
    if (cached) return cached;
    const row = database.get(GET, stackId, traversalId);
    return row && cache.keep(recordOf<ConvergenceGraph>(row), textOf(row, "body").length);
  };
  return {
    putGraph: async (graph, expiresAt) => {
      const { stackId, traversalId } = graph;
      const body = JSON.stringify(graph);
      const isNew = database.run(INSERT, stackId, traversalId, body, expiresAt) === 1;
      return isNew ? cache.keep(graph, body.length) : (read(stackId, traversalId) ?? graph);
    },
    getGraph: async (stackId, traversalId) => read(stackId, traversalId),
  };
};
