/**
 * A large graph is stored in parts and then a header. If several prepares race, the first header
 * counts. It names the parts of its own build, and the others expire.
 */
import { mapOf } from "#lib/json.ts";
import type {
  ConvergenceGraph,
  GraphHeader,
  GraphPart,
  NodeKey,
  NodePositions,
} from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { inParallel } from "../in-parallel.ts";
import { GRAPH_PART_MARGIN_MS } from "../limits.ts";
import {
  bucketOf,
  directoryPart,
  type IndexedGraph,
  indexGraph,
  leavesIn,
  leavesOf,
  nodesPart,
  rootsOf,
  selfContainedNode,
} from "./indexed-graph.ts";

/** A part with wide nodes has fewer nodes, so that visits of its other nodes read less. */
const EDGES_PER_NODE_MAX = 4;

export interface PlannedGraph {
  readonly index: IndexedGraph;
  readonly leaves: readonly NodeKey[];
}

/** Only the leaves of a graph in parts stay in memory, because the whole is large. */
export const storeGraph = async (
  ports: Pick<Ports, "store" | "ids" | "turns">,
  graph: ConvergenceGraph,
  expiresAt: number,
  partNodesMax: number,
): Promise<PlannedGraph> => {
  const { store } = ports;
  if (graph.nodes.length <= partNodesMax) {
    const index = indexGraph(ports, await store.putGraph(graph, expiresAt));
    return { index, leaves: await leavesOf(index) };
  }
  const { header, parts } = await split(ports, graph, partNodesMax);
  const { build } = header.parts;
  const puts = parts.map(({ name, make }) => async () => {
    await pauseIfDue(ports);
    return store.putGraphPart({ build, part: name }, make(), expiresAt + GRAPH_PART_MARGIN_MS);
  });
  await inParallel(puts);
  const stored = await store.putGraph(header, expiresAt);
  const index = indexGraph(ports, stored);
  // The build id is derived from all parts, so a graph with this id has these leaves.
  const isOurs = "parts" in stored && stored.parts.build === build;
  return { index, leaves: isOurs ? leavesIn(graph) : await leavesOf(index) };
};

/** All parts together are much larger than the graph, so each part is made when it is needed. */
interface Part {
  readonly name: string;
  readonly make: () => GraphPart;
}

const split = async (
  ports: Pick<Ports, "ids" | "turns">,
  graph: ConvergenceGraph,
  partNodesMax: number,
): Promise<{ readonly header: GraphHeader; readonly parts: readonly Part[] }> => {
  const { nodes, ...fields } = graph;
  const roots = rootsOf(graph);
  await pauseIfDue(ports);
  const starts = startsOf(graph, partNodesMax);
  await pauseIfDue(ports);
  const directories = directoriesOf(graph, partNodesMax);
  const parts = [
    ...starts.map((start, number) => ({
      name: nodesPart(number),
      make: () => ({
        nodes: nodes
          .slice(start, starts[number + 1])
          .map((_, index) => selfContainedNode(graph, roots, start + index)),
        positions: {},
      }),
    })),
    ...directories.map((positions, number) => ({
      name: directoryPart(number),
      make: () => ({ nodes: [], positions: mapOf(positions) }),
    })),
  ];
  const header = {
    ...fields,
    parts: {
      build: await buildOf(ports, fields.traversalId, parts),
      nodeCount: nodes.length,
      rootCount: roots.all.length,
      updateRootCount: roots.update.length,
      hasCleanup: nodes.some(({ isUpdate }) => !isUpdate),
      starts,
      directoryCount: directories.length,
    },
  };
  return { header, parts };
};

const buildOf = async (
  ports: Pick<Ports, "ids" | "turns">,
  traversalId: string,
  parts: readonly Part[],
): Promise<string> => {
  let build = traversalId;
  for (const { name, make } of parts) {
    await pauseIfDue(ports);
    build = ports.ids.derive("graph", build, name, JSON.stringify(make()));
  }
  return build;
};

const startsOf = ({ nodes }: ConvergenceGraph, partNodesMax: number): readonly number[] => {
  const starts = [0];
  let [start, edges] = [0, 0];
  nodes.forEach(({ requiredBy }, at) => {
    const isFull =
      at - start >= partNodesMax || edges + requiredBy.length > partNodesMax * EDGES_PER_NODE_MAX;
    if (at > start && isFull) {
      starts.push(at);
      [start, edges] = [at, 0];
    }
    edges += requiredBy.length;
  });
  return starts;
};

const directoriesOf = (
  { nodes }: ConvergenceGraph,
  partNodesMax: number,
): readonly ReadonlyMap<string, NodePositions>[] => {
  const byRow = new Map<string, NodePositions>();
  nodes.forEach(({ resourceId, isUpdate }, at) => {
    const [update, cleanup] = byRow.get(resourceId) ?? [null, null];
    byRow.set(resourceId, isUpdate ? [at, cleanup] : [update, at]);
  });
  const count = Math.ceil(byRow.size / partNodesMax);
  const directories = Array.from({ length: count }, () => new Map<string, NodePositions>());
  for (const [resourceId, positions] of byRow) {
    directories[bucketOf(resourceId, count)]?.set(resourceId, positions);
  }
  return directories;
};

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
