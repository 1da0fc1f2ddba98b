/** What the page and the worker that lays out its graphs say to each other. */
import * as z from "zod";

/** In pixels, at the size at which names can be read. */
export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 44;
/** The name of an unfolded node stands above its members. */
export const FRAME_HEAD = 54;
export const FRAME_PAD = 14;

export interface LayoutNode {
  readonly id: string;
  /** Ids of nodes beside this one. */
  readonly requires: readonly string[];
  /** What is drawn in this node. Empty: its name is. */
  readonly members: readonly LayoutNode[];
}

const Node: z.ZodType<LayoutNode> = z.lazy(() =>
  z.object({ id: z.string(), requires: z.array(z.string()), members: z.array(Node) }),
);
export const LayoutRequest = z.object({ nodes: z.array(Node), isUpright: z.boolean() });
export interface LayoutRequest {
  readonly nodes: readonly LayoutNode[];
  /** What requires nothing stands at the top, and not on the left. */
  readonly isUpright: boolean;
}

const Point = z.object({ x: z.number(), y: z.number() });
export type Point = z.infer<typeof Point>;

const Box = z.object({
  id: z.string(),
  /** Its middle. */
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** Where edges to it pass between others, from the required node on. */
  bends: z.array(z.object({ from: z.string(), points: z.array(Point) })),
});
export type Box = z.infer<typeof Box>;

export const Layout = z.object({
  /** A frame comes before its members. */
  nodes: z.array(Box),
  width: z.number(),
  height: z.number(),
  isUpright: z.boolean(),
});
export type Layout = z.infer<typeof Layout>;
