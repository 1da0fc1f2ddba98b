/** What the page and the worker that lays out its graphs say to each other. */
import * as z from "zod";

/** In pixels, at the size at which names can be read. */
export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 44;

/** Names, each with the names that it requires. A required name must be a node too. */
export const LayoutRequest = z.object({
  nodes: z.array(z.object({ name: z.string(), requires: z.array(z.string()) })),
});
export type LayoutRequest = z.infer<typeof LayoutRequest>;

export const Layout = z.object({
  /** The middle of each node. */
  nodes: z.array(z.object({ name: z.string(), x: z.number(), y: z.number() })),
  width: z.number(),
  height: z.number(),
});
export type Layout = z.infer<typeof Layout>;
