/**
 * What of a graph is drawn: single nodes where they can be read, and otherwise one path for all
 * nodes of a tone. So ten thousand nodes cost the browser a handful of elements.
 */
import type { Layout } from "./graph-layout-shape.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "./graph-layout-shape.ts";
import type { Drawn, DrawnNode } from "./graph-model.ts";
import type { Tone } from "./status.ts";
import type { Size, ViewBox } from "./view-box.ts";

/** Below it nobody can read a name. */
export const READABLE_SCALE = 0.38;
const SINGLE_NODES_MAX = 300;
/** At any distance the edges of more nodes than these are a black area. */
const FAR_EDGES_MAX = 6_000;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode extends Place {
  readonly node: DrawnNode;
}

export interface Drawing {
  readonly singles: readonly PlacedNode[];
  /** SVG paths of the nodes that are not drawn one by one. */
  readonly tones: readonly (readonly [Tone, string])[];
  readonly edges: string;
}

export type Places = ReadonlyMap<string, Place>;

export const placesOf = ({ nodes }: Layout): Places =>
  new Map(nodes.map(({ name, x, y }) => [name, { x, y }]));

const number = (value: number): string => String(Math.round(value));

/** From the right side of the lower node to the left side of the one that requires it. */
const edgePath = (from: Place, to: Place): string => {
  const [startX, endX] = [from.x + NODE_WIDTH / 2, to.x - NODE_WIDTH / 2];
  const bend = Math.max(24, Math.abs(endX - startX) / 2);
  const corners = [
    `${number(startX + bend)} ${number(from.y)}`,
    `${number(endX - bend)} ${number(to.y)}`,
    `${number(endX)} ${number(to.y)}`,
  ];
  return `M${number(startX)} ${number(from.y)}C${corners.join(",")}`;
};

const boxPath = ({ x, y }: Place): string =>
  `M${number(x - NODE_WIDTH / 2)} ${number(y - NODE_HEIGHT / 2)}h${NODE_WIDTH}v${NODE_HEIGHT}h-${NODE_WIDTH}z`;

export const drawingOf = (
  graph: Drawn,
  places: Places,
  { x, y, scale }: ViewBox,
  screen: Size,
): Drawing => {
  const [right, bottom] = [x + screen.width / scale, y + screen.height / scale];
  const isSeen = (place: Place): boolean =>
    place.x + NODE_WIDTH / 2 >= x &&
    place.x - NODE_WIDTH / 2 <= right &&
    place.y + NODE_HEIGHT / 2 >= y &&
    place.y - NODE_HEIGHT / 2 <= bottom;
  const seen: PlacedNode[] = [];
  for (const node of graph.values()) {
    const place = places.get(node.name);
    if (place !== undefined && isSeen(place)) seen.push({ node, ...place });
  }
  const isNear = scale >= READABLE_SCALE && seen.length <= SINGLE_NODES_MAX;
  const boxes = new Map<Tone, string[]>();
  if (!isNear) {
    for (const placed of seen) {
      const { tone } = placed.node.look;
      const paths = boxes.get(tone);
      if (paths === undefined) boxes.set(tone, [boxPath(placed)]);
      else paths.push(boxPath(placed));
    }
  }
  return {
    singles: isNear ? seen : [],
    tones: [...boxes].map(([tone, paths]) => [tone, paths.join("")] as const),
    edges: edgesOf(seen, places),
  };
};

/** Those that begin or end at a node on the screen. */
const edgesOf = (seen: readonly PlacedNode[], places: Places): string => {
  const paths: string[] = [];
  const names = new Set(seen.map(({ node }) => node.name));
  for (const placed of seen) {
    for (const name of placed.node.requires) {
      const below = places.get(name);
      if (below !== undefined) paths.push(edgePath(below, placed));
    }
    for (const name of placed.node.requiredBy) {
      const above = places.get(name);
      if (above !== undefined && !names.has(name)) paths.push(edgePath(placed, above));
    }
    if (paths.length > FAR_EDGES_MAX) break;
  }
  return paths.join("");
};
