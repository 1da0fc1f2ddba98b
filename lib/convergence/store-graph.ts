/**
 * A graph is stored whole, or in parts and then a header if it is large. Of prepares that race, the
 * header that is stored first counts, and names the parts of its own build only. The others expire.
 */
import { mapOf } from "#lib/json-map.ts";
import type {
  ConvergenceGraph,
  GraphHeader,
  GraphPart,
  NodeKey,
  NodePositions,
} from "#lib/model/graph.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { bucketOf, directoryPart, nodesPart } from "./graph-parts.ts";
import { inParallel } from "./in-parallel.ts";
import { type IndexedGraph, indexGraph, leavesIn, leavesOf } from "./indexed-graph.ts";
import { GRAPH_PART_MARGIN_MS } from "./limits.ts";
import { rootsOf, selfContainedNode } from "./self-contained-node.ts";

/** A part with wide nodes has fewer, so that visits of its other nodes do not pay for them. */
const EDGES_PER_NODE_MAX = 4;

export interface PlannedGraph {
  /** Of the graph that counts. It has parts if it has more than `partNodesMax` nodes. */
  readonly index: IndexedGraph;
  /** The nodes that wait for nothing, in the order in which they are sent. */
  readonly leaves: readonly NodeKey[];
}

/** Keeps nothing of a graph in parts but its leaves. All of it is large, and visits read parts. */
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
  // A build is an id of all that its parts say, so another prepare's parts have these leaves too.
  const isOurs = "parts" in stored && stored.parts.build === build;
  return { index, leaves: isOurs ? leavesIn(graph) : await leavesOf(index) };
};

/** All parts together are much larger than the graph, so each is made when it is needed. */
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

/** An id of all that the parts say. */
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
