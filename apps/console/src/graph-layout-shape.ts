/** The messages between the page and the worker that lays out its graphs. */
import * as z from "zod";

/** In pixels, at the scale at which names are readable. */
export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 44;
export const FRAME_HEAD = 54;
export const FRAME_PAD = 14;

export interface LayoutNode {
  readonly id: string;
  readonly requires: readonly string[];
  readonly members: readonly LayoutNode[];
}

const Node: z.ZodType<LayoutNode> = z.lazy(() =>
  z.object({ id: z.string(), requires: z.array(z.string()), members: z.array(Node) }),
);
export const LayoutRequest = z.object({ nodes: z.array(Node), isUpright: z.boolean() });
export interface LayoutRequest {
  readonly nodes: readonly LayoutNode[];
  /** If true, nodes without dependencies are at the top instead of on the left. */
  readonly isUpright: boolean;
}

const Point = z.object({ x: z.number(), y: z.number() });
export type Point = z.infer<typeof Point>;

const Box = z.object({
  id: z.string(),
  /** The middle of the box. */
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** The points at which edges to this node pass between others, beginning at the required node. */
  bends: z.array(z.object({ from: z.string(), points: z.array(Point) })),
});
export type Box = z.infer<typeof Box>;

export const Layout = z.object({
  nodes: z.array(Box),
  width: z.number(),
  height: z.number(),
  isUpright: z.boolean(),
});
export type Layout = z.infer<typeof Layout>;
