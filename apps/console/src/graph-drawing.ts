/**
 * Chooses what is drawn of a graph: single nodes where they are readable, and otherwise one path
 * for all nodes of a tone. So ten thousand nodes cost the browser a handful of elements.
 */
import type { Box, Layout, Point } from "./graph-layout-shape.ts";
import type { Drawn, DrawnNode } from "./graph-model.ts";
import type { Tone } from "./status.ts";
import type { Size, ViewBox } from "./view-box.ts";

/** Below this scale nobody can read a name. */
export const READABLE_SCALE = 0.38;
const SINGLE_NODES_MAX = 300;
/** The edges of more nodes than these look like a black area. */
const FAR_EDGES_MAX = 6_000;

export interface PlacedNode {
  readonly node: DrawnNode;
  readonly box: Box;
}

export interface Drawing {
  readonly frames: readonly PlacedNode[];
  readonly singles: readonly PlacedNode[];
  readonly tones: readonly (readonly [Tone, string])[];
  readonly edges: string;
  /** The edges from an old version of a resource to its replacement. */
  readonly successions: string;
}

export type Places = ReadonlyMap<string, Box>;

export interface Laid {
  readonly places: Places;
  readonly isUpright: boolean;
}

export const placesOf = ({ nodes }: Layout): Places => new Map(nodes.map((box) => [box.id, box]));

const number = (value: number): string => String(Math.round(value));

const BEND_PX = 24;

/** The curve has no slope at its ends, so that pieces join smoothly. */
const piece = (from: Point, to: Point, bendMin: number, isUpright: boolean): string => {
  const at = isUpright ? upright : lying;
  const bend = Math.max(bendMin, Math.abs(to.x - from.x) / 2);
  const corners = [{ x: from.x + bend, y: from.y }, { x: to.x - bend, y: to.y }, to];
  return `C${corners.map(at).join(",")}`;
};

const lying = ({ x, y }: Point): string => `${number(x)} ${number(y)}`;
const upright = ({ x, y }: Point): string => `${number(y)} ${number(x)}`;
const turned = ({ x, y }: Point): Point => ({ x: y, y: x });

/** Leads from a node's right side to the left side of a node that requires it. */
const edgePath = (from: Box, to: Box, isUpright: boolean): string => {
  const [one, other] = isUpright ? [turned(from), turned(to)] : [from, to];
  const [fromDepth, toDepth] = isUpright ? [from.height, to.height] : [from.width, to.width];
  const start = { x: one.x + fromDepth / 2, y: one.y };
  const end = { x: other.x - toDepth / 2, y: other.y };
  const bends = to.bends.find((bend) => bend.from === from.id)?.points ?? [];
  const between = isUpright ? bends.map(turned) : bends;
  const points = [...between, end];
  const bendMin = between.length === 0 ? BEND_PX : 0;
  const pieces = points.map((point, at) =>
    piece(points[at - 1] ?? start, point, bendMin, isUpright),
  );
  return `M${(isUpright ? upright : lying)(start)}${pieces.join("")}`;
};

const boxPath = ({ x, y, width, height }: Box): string =>
  `M${number(x - width / 2)} ${number(y - height / 2)}h${number(width)}v${number(height)}h-${number(width)}z`;

export const drawingOf = (
  graph: Drawn,
  laid: Laid,
  { x, y, scale }: ViewBox,
  screen: Size,
): Drawing => {
  const [right, bottom] = [x + screen.width / scale, y + screen.height / scale];
  const isSeen = (box: Box): boolean =>
    box.x + box.width / 2 >= x &&
    box.x - box.width / 2 <= right &&
    box.y + box.height / 2 >= y &&
    box.y - box.height / 2 <= bottom;
  const seen: PlacedNode[] = [];
  const frames: PlacedNode[] = [];
  for (const node of graph.values()) {
    const box = laid.places.get(node.id);
    if (box === undefined || !isSeen(box)) continue;
    (node.fold?.isOpen === true ? frames : seen).push({ node, box });
  }
  const isNear = scale >= READABLE_SCALE && seen.length <= SINGLE_NODES_MAX;
  return {
    frames,
    singles: isNear ? seen : [],
    tones: isNear ? [] : tonesOf(seen),
    ...linesOf([...frames, ...seen], laid),
  };
};

const tonesOf = (seen: readonly PlacedNode[]): Drawing["tones"] => {
  const paths = new Map<Tone, string[]>();
  for (const { node, box } of seen) {
    const known = paths.get(node.look.tone);
    if (known === undefined) paths.set(node.look.tone, [boxPath(box)]);
    else known.push(boxPath(box));
  }
  return [...paths].map(([tone, some]) => [tone, some.join("")] as const);
};

const linesOf = (
  seen: readonly PlacedNode[],
  { places, isUpright }: Laid,
): Pick<Drawing, "edges" | "successions"> => {
  const edges: string[] = [];
  const successions: string[] = [];
  const ids = new Set(seen.map(({ node }) => node.id));
  for (const { node, box } of seen) {
    for (const id of node.requires) {
      const below = places.get(id);
      if (below !== undefined) edges.push(edgePath(below, box, isUpright));
    }
    for (const id of node.requiredBy) {
      const above = places.get(id);
      if (above !== undefined && !ids.has(id)) edges.push(edgePath(box, above, isUpright));
    }
    const former = node.follows === null ? undefined : places.get(node.follows);
    if (former !== undefined) successions.push(edgePath(former, box, isUpright));
    if (edges.length > FAR_EDGES_MAX) break;
  }
  return { edges: edges.join(""), successions: successions.join("") };
};
