import type { Drawn, DrawnNode, Mark } from "./graph-model.ts";
import { treeOf, versionId } from "./graph-tree.ts";
import { labelOf, type Scene, type Waiting } from "./step-shape.ts";

export const MESSAGE_SIGN = "\u2709";

/** Returns the node of the row. If the row does not exist yet, returns the node of its name. */
const nodeIdOf = ({ resources }: Scene, { row, name }: Waiting): string | null => {
  for (const { resource_name, rows } of resources) {
    const known = rows?.find(({ id }) => id === row);
    if (known !== undefined) return versionId(resource_name, known);
  }
  return name;
};

const marksOf = (scene: Scene): ReadonlyMap<string, readonly Mark[]> => {
  const own = scene.waiting.filter(({ stack_id }) => stack_id === scene.stack.id);
  const byNode = Map.groupBy(own, (message) => nodeIdOf(scene, message) ?? "");
  return new Map(
    [...byNode].map(([id, messages]): [string, readonly Mark[]] => {
      const words = `waits: ${messages.map(labelOf).join(", ")}`;
      return [id, [{ sign: MESSAGE_SIGN, words, isOutlined: false }]];
    }),
  );
};

export const sceneGraph = (scene: Scene): Drawn => {
  const tree = treeOf(scene.resources, scene.stack, { open: new Set(), hrefOf: null });
  const marks = marksOf(scene);
  return new Map(
    [...tree.values()].map((node): [string, DrawnNode] => {
      const more = marks.get(node.id) ?? [];
      return [node.id, { ...node, look: { ...node.look, marks: [...node.look.marks, ...more] } }];
    }),
  );
};
