/** The graph of the traversal that a stack has now. */
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type IndexedGraph, indexGraph } from "./convergence-graph.ts";

/** Null while the traversal is not published (P2). */
export const publishedGraph = async (ports: Ports, stack: Stack): Promise<IndexedGraph | null> => {
  if (stack.running !== stack.traversalId) return null;
  const graph = await ports.store.getGraph(stack.id, stack.traversalId);
  return graph === null ? null : indexGraph(graph);
};
