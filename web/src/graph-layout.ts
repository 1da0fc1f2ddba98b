/**
 * Where the nodes of a graph stand. Up to some hundred nodes dagre places them so that few edges
 * cross. Larger ones stand in columns by depth, which takes a few milliseconds.
 */
import { Graph as DagreGraph, layout } from "@dagrejs/dagre";
import { type Layout, type LayoutRequest, NODE_HEIGHT, NODE_WIDTH } from "./graph-layout-shape.ts";

const GAP_X = 70;
const GAP_Y = 18;
/** A column that is taller than this goes on beside itself. */
const COLUMN_NODES_MAX = 60;
/** On a slow machine dagre needs a second for these. */
export const DAGRE_NODES_MAX = 800;
const SWEEPS = 3;

const byDagre = ({ nodes }: LayoutRequest): Layout => {
  const graph = new DagreGraph();
  graph.setGraph({ rankdir: "LR", ranker: "longest-path", nodesep: GAP_Y, ranksep: GAP_X });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of nodes) graph.setNode(name, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { name, requires } of nodes) {
    for (const below of requires) graph.setEdge(below, name);
  }
  layout(graph);
  const placed = nodes.map(({ name }) => {
    const { x = 0, y = 0 } = graph.node(name);
    return { name, x, y };
  });
  return { nodes: placed, ...sizeOf(placed) };
};

const sizeOf = (placed: Layout["nodes"]) => ({
  width: placed.reduce((max, { x }) => Math.max(max, x), 0) + NODE_WIDTH / 2,
  height: placed.reduce((max, { y }) => Math.max(max, y), 0) + NODE_HEIGHT / 2,
});

/** The length of the longest chain below each node. A circle is cut where it is entered. */
export const depthsOf = ({ nodes }: LayoutRequest): ReadonlyMap<string, number> => {
  const byName = new Map(nodes.map((node) => [node.name, node.requires]));
  const depths = new Map<string, number>();
  const open = new Set<string>();
  for (const { name: root } of nodes) {
    // Without recursion: a chain may be ten thousand long.
    const stack = [root];
    while (stack.length > 0) {
      const name = stack.at(-1) ?? root;
      const below = byName.get(name) ?? [];
      open.add(name);
      const next = below.find((one) => !depths.has(one) && !open.has(one));
      if (next !== undefined && !depths.has(name)) {
        stack.push(next);
        continue;
      }
      stack.pop();
      open.delete(name);
      const known = below.flatMap((one) => depths.get(one) ?? []);
      if (!depths.has(name))
        depths.set(
          name,
          known.reduce((max, one) => Math.max(max, one + 1), 0),
        );
    }
  }
  return depths;
};

const byColumns = (request: LayoutRequest): Layout => {
  const depths = depthsOf(request);
  const columns = Map.groupBy(request.nodes, ({ name }) => depths.get(name) ?? 0);
  const rows = new Map<string, number>();
  const placeOf = (names: readonly string[], otherwise: number): number => {
    const known = names.flatMap((name) => rows.get(name) ?? []);
    return known.length === 0 ? otherwise : known.reduce((sum, row) => sum + row, 0) / known.length;
  };
  const ordered = [...columns].toSorted(([one], [other]) => one - other).map(([, nodes]) => nodes);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of ordered) {
      const wished = new Map(
        column.map(({ name, requires }, at) => [name, placeOf(requires, rows.get(name) ?? at)]),
      );
      column.sort((one, other) => (wished.get(one.name) ?? 0) - (wished.get(other.name) ?? 0));
      column.forEach(({ name }, at) => void rows.set(name, at));
    }
  }
  let x = NODE_WIDTH / 2;
  const placed: Layout["nodes"] = [];
  for (const column of ordered) {
    column.forEach(({ name }, at) => {
      const [beside, below] = [Math.floor(at / COLUMN_NODES_MAX), at % COLUMN_NODES_MAX];
      placed.push({
        name,
        x: x + beside * (NODE_WIDTH + GAP_Y),
        y: NODE_HEIGHT / 2 + below * (NODE_HEIGHT + GAP_Y),
      });
    });
    const wide = Math.ceil(column.length / COLUMN_NODES_MAX);
    x += wide * (NODE_WIDTH + GAP_Y) + GAP_X;
  }
  return { nodes: placed, ...sizeOf(placed) };
};

export const layOut = (request: LayoutRequest): Layout =>
  request.nodes.length > DAGRE_NODES_MAX ? byColumns(request) : byDagre(request);
