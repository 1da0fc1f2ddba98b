import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type IndexedGraph, indexGraph } from "./indexed-graph.ts";

export const storedGraph = async (
  ports: Pick<Ports, "store">,
  stackId: string,
  traversalId: string,
): Promise<IndexedGraph | null> => {
  const graph = await ports.store.getGraph(stackId, traversalId);
  return graph === null ? null : indexGraph(ports, graph);
};

/** The graph of the stack's current traversal. It is null while it is not published (P2). */
export const publishedGraph = async (ports: Ports, stack: Stack): Promise<IndexedGraph | null> =>
  stack.running === stack.traversalId ? storedGraph(ports, stack.id, stack.traversalId) : null;
