/**
 * Places the nodes of a graph. Up to some hundred nodes dagre does it, so that few edges cross. The
 * nodes of larger graphs are placed in columns by depth, which takes a few milliseconds.
 */
import { Graph as DagreGraph, layout } from "@dagrejs/dagre";
import { depthsOf } from "./graph-depths.ts";
import {
  type Box,
  FRAME_HEAD,
  FRAME_PAD,
  type Layout,
  type LayoutNode,
  type LayoutRequest,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Point,
} from "./graph-layout-shape.ts";

const GAP_X = 70;
const GAP_UPRIGHT = 40;
const GAP_Y = 18;
/** A taller column continues beside itself. */
const COLUMN_NODES_MAX = 60;
/** dagre needs a second for these on a slow machine. */
export const DAGRE_NODES_MAX = 800;
const SWEEPS = 3;
/** Fewer nodes without an edge form a column. */
const GRID_NODES_MIN = 6;
const GRID_RATIO = 1.6;

interface Sized extends LayoutNode {
  readonly width: number;
  readonly height: number;
}

const byDagre = (nodes: readonly Sized[], gap: number): readonly Box[] => {
  const graph = new DagreGraph();
  graph.setGraph({ rankdir: "RL", ranker: "longest-path", nodesep: GAP_Y, ranksep: gap });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { id, requires } of nodes) {
    for (const below of requires) graph.setEdge(id, below);
  }
  layout(graph);
  return nodes.map(({ id, width, height }) => {
    const { x = 0, y = 0 } = graph.node(id);
    return { id, x, y, width, height, bends: bendsOf(graph, id) };
  });
};

/** An edge to the next column has one point between its ends, and no node in its way. */
const DIRECT_POINTS_MAX = 3;

const bendsOf = (graph: DagreGraph, id: string): Box["bends"] =>
  (graph.outEdges(id) ?? []).flatMap((edge: { v: string; w: string }) => {
    const points: readonly Point[] = graph.edge(edge).points ?? [];
    if (points.length <= DIRECT_POINTS_MAX) return [];
    const between = points.slice(1, -1).map(({ x, y }) => ({ x, y }));
    return [{ from: edge.w, points: between.reverse() }];
  });

const byColumns = (nodes: readonly Sized[], gap: number): readonly Box[] => {
  const depths = depthsOf(nodes);
  const columns = Map.groupBy(nodes, ({ id }) => depths.get(id) ?? 0);
  const rows = new Map<string, number>();
  const placeOf = (ids: readonly string[], otherwise: number): number => {
    const known = ids.flatMap((id) => rows.get(id) ?? []);
    return known.length === 0 ? otherwise : known.reduce((sum, row) => sum + row, 0) / known.length;
  };
  const ordered = [...columns].toSorted(([one], [other]) => one - other).map(([, some]) => some);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of ordered) {
      const wished = new Map(
        column.map(({ id, requires }, at) => [id, placeOf(requires, rows.get(id) ?? at)]),
      );
      column.sort((one, other) => (wished.get(one.id) ?? 0) - (wished.get(other.id) ?? 0));
      column.forEach(({ id }, at) => void rows.set(id, at));
    }
  }
  let left = 0;
  const placed: Box[] = [];
  for (const column of ordered) {
    for (let from = 0; from < column.length; from += COLUMN_NODES_MAX) {
      const part = column.slice(from, from + COLUMN_NODES_MAX);
      placed.push(...stacked(part, left));
      left += widest(part) + GAP_Y;
    }
    left += gap;
  }
  return placed;
};

const widest = (nodes: readonly Sized[]): number =>
  nodes.reduce((max, { width }) => Math.max(max, width), 0);

const stacked = (nodes: readonly Sized[], left: number): readonly Box[] => {
  let top = 0;
  return nodes.map(({ id, width, height }) => {
    const box = { id, x: left + width / 2, y: top + height / 2, width, height, bends: [] };
    top += height + GAP_Y;
    return box;
  });
};

/** Members of a group have no edges, and a single column of them would be too long. */
const byGrid = (nodes: readonly Sized[], isUpright: boolean): readonly Box[] => {
  const ratio = isUpright ? 1 / GRID_RATIO : GRID_RATIO;
  const shape = (ratio * (NODE_HEIGHT + GAP_Y)) / (NODE_WIDTH + GAP_Y);
  const wide = Math.ceil(Math.sqrt(nodes.length * shape));
  const placed: Box[] = [];
  let top = 0;
  for (let from = 0; from < nodes.length; from += wide) {
    const row = nodes.slice(from, from + wide);
    let left = 0;
    for (const { id, width, height } of row) {
      placed.push({ id, x: left + width / 2, y: top + height / 2, width, height, bends: [] });
      left += width + GAP_Y;
    }
    top += row.reduce((max, { height }) => Math.max(max, height), 0) + GAP_Y;
  }
  return placed;
};

const turnedPoint = ({ x, y }: Point): Point => ({ x: y, y: x });

const turned = (box: Box): Box => ({
  ...box,
  ...turnedPoint(box),
  width: box.height,
  height: box.width,
  bends: box.bends.map(({ from, points }) => ({ from, points: points.map(turnedPoint) })),
});

const inLayers = (nodes: readonly Sized[], gap: number): readonly Box[] =>
  nodes.length > DAGRE_NODES_MAX ? byColumns(nodes, gap) : byDagre(nodes, gap);

const boxesOf = (nodes: readonly Sized[], isUpright: boolean): readonly Box[] => {
  const hasEdges = nodes.some(({ requires }) => requires.length > 0);
  if (!hasEdges && nodes.length > GRID_NODES_MIN) return byGrid(nodes, isUpright);
  if (!isUpright) return inLayers(nodes, GAP_X);
  const lying = nodes.map((node) => ({ ...node, width: node.height, height: node.width }));
  return inLayers(lying, GAP_UPRIGHT).map(turned);
};

const sizeOf = (boxes: readonly Box[]): { readonly width: number; readonly height: number } => ({
  width: boxes.reduce((max, { x, width }) => Math.max(max, x + width / 2), 0),
  height: boxes.reduce((max, { y, height }) => Math.max(max, y + height / 2), 0),
});

/** The members of a frame are laid out first, because the frame's size depends on them. */
export const layOut = ({ nodes, isUpright }: LayoutRequest): Layout => {
  const inner = new Map<string, Layout>();
  const sized = nodes.map((node): Sized => {
    if (node.members.length === 0) return { ...node, width: NODE_WIDTH, height: NODE_HEIGHT };
    const layoutOfMembers = layOut({ nodes: node.members, isUpright });
    inner.set(node.id, layoutOfMembers);
    return {
      ...node,
      width: Math.max(NODE_WIDTH, layoutOfMembers.width + 2 * FRAME_PAD),
      height: layoutOfMembers.height + FRAME_HEAD + FRAME_PAD,
    };
  });
  const boxes = boxesOf(sized, isUpright);
  const all = boxes.flatMap((box) => [box, ...placedIn(box, inner.get(box.id))]);
  return { nodes: all, ...sizeOf(boxes), isUpright };
};

const placedIn = (frame: Box, members: Layout | undefined): readonly Box[] => {
  if (members === undefined) return [];
  const left = frame.x - frame.width / 2 + FRAME_PAD;
  const top = frame.y - frame.height / 2 + FRAME_HEAD;
  const moved = <Place extends Point>(place: Place): Place => ({
    ...place,
    x: place.x + left,
    y: place.y + top,
  });
  return members.nodes.map((box) => ({
    ...moved(box),
    bends: box.bends.map(({ from, points }) => ({ from, points: points.map(moved) })),
  }));
};
