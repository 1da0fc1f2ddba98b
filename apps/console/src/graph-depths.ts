import type { LayoutNode } from "./graph-layout-shape.ts";

type Requiring = Pick<LayoutNode, "id" | "requires">;

/** Returns the length of the longest chain below each node. A cycle is cut where it is entered. */
export const depthsOf = (nodes: readonly Requiring[]): ReadonlyMap<string, number> => {
  const byId = new Map(nodes.map((node) => [node.id, node.requires]));
  const depths = new Map<string, number>();
  const open = new Set<string>();
  for (const { id: root } of nodes) {
    // The loop does not recurse, because a chain may have ten thousand nodes.
    const stack = [root];
    while (stack.length > 0) {
      const id = stack.at(-1) ?? root;
      const below = byId.get(id) ?? [];
      open.add(id);
      const next = below.find((one) => !depths.has(one) && !open.has(one));
      if (next !== undefined && !depths.has(id)) {
        stack.push(next);
        continue;
      }
      stack.pop();
      open.delete(id);
      const known = below.flatMap((one) => depths.get(one) ?? []);
      if (!depths.has(id))
        depths.set(
          id,
          known.reduce((max, one) => Math.max(max, one + 1), 0),
        );
    }
  }
  return depths;
};
