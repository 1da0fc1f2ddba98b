/**
 * A traversal's graph as its visits see it. For a large graph, a visit reads only two parts: the
 * directory with its node's position, and the part with the node.
 */
import { present } from "#lib/errors.ts";
import type {
  ConvergenceGraph,
  GraphFields,
  GraphHeader,
  GraphNode,
  GraphPart,
  NodeKey,
  StoredGraph,
} from "#lib/model/graph.ts";
import type { Store } from "#lib/ports/store.ts";
import { inParallel } from "../in-parallel.ts";
import { PARALLEL_CALLS_MAX } from "../limits.ts";

export interface IndexedGraph {
  readonly graph: GraphFields;
  readonly nodeCount: number;
  readonly rootCount: number;
  /** How many update nodes no update node waits for. When they are done, the update is good. */
  readonly updateRootCount: number;
  readonly hasCleanup: boolean;
  positionOf(key: NodeKey): Promise<number | undefined>;
  nodeAt(at: number): Promise<GraphNode>;
  walk(): AsyncIterable<readonly GraphNode[]>;
}

interface GraphPartSource {
  readonly store: Pick<Store, "getGraphPart">;
}

export const indexGraph = (ports: GraphPartSource, stored: StoredGraph): IndexedGraph =>
  "nodes" in stored ? wholeGraph(stored) : graphInParts(ports, stored);

const wholeGraphs = new WeakMap<ConvergenceGraph, IndexedGraph>();

const wholeGraph = (graph: ConvergenceGraph): IndexedGraph => {
  const known = wholeGraphs.get(graph) ?? indexWhole(graph, rootsOf(graph));
  wholeGraphs.set(graph, known);
  return known;
};

const indexWhole = (graph: ConvergenceGraph, roots: RootPositions): IndexedGraph => {
  const { nodes } = graph;
  const positions = { update: new Map<string, number>(), cleanup: new Map<string, number>() };
  nodes.forEach(({ isUpdate, resourceId }, at) => {
    positions[isUpdate ? "update" : "cleanup"].set(resourceId, at);
  });
  return {
    graph,
    nodeCount: nodes.length,
    rootCount: roots.all.length,
    updateRootCount: roots.update.length,
    hasCleanup: positions.cleanup.size > 0,
    positionOf: async (key) => positions[key.isUpdate ? "update" : "cleanup"].get(key.resourceId),
    nodeAt: async (at) => selfContainedNode(graph, roots, at),
    walk: async function* () {
      if (nodes.length > 0) yield nodes.map((_, at) => selfContainedNode(graph, roots, at));
    },
  };
};

const graphInParts = ({ store }: GraphPartSource, header: GraphHeader): IndexedGraph => {
  const { build, starts, directoryCount, ...counts } = header.parts;
  const read = async (part: string): Promise<GraphPart> =>
    present(await store.getGraphPart({ build, part }), `part ${part} of graph ${build}`);
  return {
    ...counts,
    graph: header,
    positionOf: async ({ resourceId, isUpdate }) => {
      const { positions } = await read(directoryPart(bucketOf(resourceId, directoryCount)));
      return positions[resourceId]?.[isUpdate ? 0 : 1] ?? undefined;
    },
    nodeAt: async (at) => {
      const number = lastUpTo(starts, at);
      const { nodes } = await read(nodesPart(number));
      return present(nodes[at - (starts[number] ?? 0)], `node ${at} of graph ${build}`);
    },
    walk: async function* () {
      for (let from = 0; from < starts.length; from += PARALLEL_CALLS_MAX) {
        const some = starts.slice(from, from + PARALLEL_CALLS_MAX);
        const parts = some.map((_, index) => () => read(nodesPart(from + index)));
        for (const { nodes } of await inParallel(parts)) yield nodes;
      }
    },
  };
};

export const leavesOf = async (index: IndexedGraph): Promise<readonly NodeKey[]> => {
  const leaves: NodeKey[] = [];
  for await (const nodes of index.walk()) {
    for (const { resourceId, isUpdate, fanIn } of nodes) {
      if (fanIn === 0) leaves.push({ resourceId, isUpdate });
    }
  }
  return inOrderOfSending(leaves);
};

export const leavesIn = ({ nodes }: ConvergenceGraph): readonly NodeKey[] =>
  inOrderOfSending(
    nodes.flatMap(({ resourceId, isUpdate, requires }) =>
      requires.length === 0 ? [{ resourceId, isUpdate }] : [],
    ),
  );

/** Cleanups go first, because they free quota that the updates may need (LP 1713900). */
const inOrderOfSending = (leaves: readonly NodeKey[]): readonly NodeKey[] => [
  ...leaves.filter(({ isUpdate }) => !isUpdate),
  ...leaves.filter(({ isUpdate }) => isUpdate),
];

export const nodesPart = (number: number): string => `nodes ${number}`;
export const directoryPart = (number: number): string => `directory ${number}`;

/** The directory that names a row: FNV-1a of its id. Stored graphs depend on this function. */
export const bucketOf = (resourceId: string, directoryCount: number): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < resourceId.length; at++) {
    hash = Math.imul(hash ^ resourceId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % directoryCount;
};

interface RootPositions {
  readonly all: readonly number[];
  readonly update: readonly number[];
}

export const rootsOf = ({ nodes }: ConvergenceGraph): RootPositions => {
  const all: number[] = [];
  const update: number[] = [];
  nodes.forEach((node, at) => {
    if (node.requiredBy.length === 0) all.push(at);
    if (node.isUpdate && !node.requiredBy.some((by) => nodes[by]?.isUpdate)) update.push(at);
  });
  return { all, update };
};

export const selfContainedNode = (
  { nodes }: ConvergenceGraph,
  roots: RootPositions,
  at: number,
): GraphNode => {
  const { requires, requiredBy, ...node } = present(nodes[at], `node ${at}`);
  return {
    ...node,
    fanIn: requires.length,
    requiredBy: requiredBy.map((by) => {
      const waiting = present(nodes[by], `node ${by}`);
      return {
        resourceId: waiting.resourceId,
        isUpdate: waiting.isUpdate,
        at: by,
        fanIn: waiting.requires.length,
        predecessor: present(indexAmong(waiting.requires, at), `the edge from ${at} to ${by}`),
      };
    }),
    rootIndex: indexAmong(roots.all, at),
    updateRootIndex: indexAmong(roots.update, at),
  };
};

/**
 * @returns the index of the last item that is not greater than `value`, or 0 when all are greater.
 */
const lastUpTo = (ascending: readonly number[], value: number): number => {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
};

const indexAmong = (ascending: readonly number[], value: number): number | null => {
  const index = lastUpTo(ascending, value);
  return ascending[index] === value ? index : null;
};
