import type { LayoutNode, LayoutRequest } from "./graph-layout-shape.ts";
import type { Drawn, DrawnNode } from "./graph-model.ts";

/** The layout puts a version beside the one that it replaces. */
const besideOf = ({ requires, follows }: DrawnNode): readonly string[] =>
  follows === null ? requires : [...requires, follows];

export const layoutRequestOf = (graph: Drawn, isUpright = false): LayoutRequest => {
  const byParent = Map.groupBy(graph.values(), ({ parent }) => parent);
  const within = (parent: string | null): readonly LayoutNode[] =>
    (byParent.get(parent) ?? []).map((node) => ({
      id: node.id,
      requires: besideOf(node).filter((id) => graph.has(id)),
      members: within(node.id),
    }));
  return { nodes: within(null), isUpright };
};
