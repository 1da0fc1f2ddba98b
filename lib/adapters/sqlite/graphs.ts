import type { StoredGraph } from "#lib/model/graph.ts";
import type { Graphs } from "#lib/ports/store.ts";
import { graphCache, graphPartCache, parseGraph, parseGraphPart } from "../graph-cache.ts";
import { type Database, textOf } from "./database.ts";

const GET = "SELECT body FROM graphs WHERE stack_id = ? AND traversal_id = ?";
const INSERT =
  "INSERT INTO graphs (stack_id, traversal_id, body, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
const GET_PART = "SELECT body FROM graph_parts WHERE build = ? AND part = ?";
const INSERT_PART =
  "INSERT INTO graph_parts (build, part, body, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";

/**
 * Visits need all parts that say where nodes are: 6 MB for 100,000 rows. They read the nodes
 * roughly in order, and reading a part from a file is cheap.
 */
const CACHED_PARTS_BYTES_MAX = 8 * 1024 * 1024;

export const sqliteGraphs = (database: Database): Graphs => {
  const graphs = graphCache();
  const parts = graphPartCache(CACHED_PARTS_BYTES_MAX);
  const read = (stackId: string, traversalId: string): StoredGraph | null => {
    const cached = graphs.get(stackId, traversalId);
    if (cached) return cached;
    const row = database.get(GET, stackId, traversalId);
    if (row === null) return null;
    const body = textOf(row, "body");
    return graphs.keep([stackId, traversalId], parseGraph(body), body.length);
  };
  return {
    putGraph: async (graph, expiresAt) => {
      const { stackId, traversalId } = graph;
      const body = JSON.stringify(graph);
      const isNew = await database.grouped(
        () => database.run(INSERT, stackId, traversalId, body, expiresAt) === 1,
      );
      return isNew
        ? graphs.keep([stackId, traversalId], graph, body.length)
        : (read(stackId, traversalId) ?? graph);
    },
    getGraph: async (stackId, traversalId) => read(stackId, traversalId),
    putGraphPart: async ({ build, part: name }, part, expiresAt) => {
      const body = JSON.stringify(part);
      await database.grouped(() => database.run(INSERT_PART, build, name, body, expiresAt));
      parts.keep([build, name], part, body.length);
    },
    getGraphPart: async ({ build, part: name }) => {
      const cached = parts.get(build, name);
      if (cached) return cached;
      const row = database.get(GET_PART, build, name);
      if (row === null) return null;
      const body = textOf(row, "body");
      return parts.keep([build, name], parseGraphPart(body), body.length);
    },
  };
};
