/** Every graph of dependencies between three or four resources, up to their names. */
import type { Spec } from "../simulation/world/spec.ts";

/**
 * Pairs (from, to): `to` depends on `from`, and `from` < `to`. Every acyclic graph can be numbered
 * in this way.
 */
export type Edges = readonly (readonly [number, number])[];

const permutations = (list: readonly number[]): readonly (readonly number[])[] =>
  list.length <= 1
    ? [list]
    : list.flatMap((first) =>
        permutations(list.filter((one) => one !== first)).map((rest) => [first, ...rest]),
      );

const shapeOf = (edges: Edges, orders: readonly (readonly number[])[]): string =>
  orders
    .map((order) =>
      edges
        .map(([from, to]) => `${order[from]}${order[to]}`)
        .toSorted()
        .join(),
    )
    .toSorted()[0] ?? "";

export const shapesOf = (size: number): readonly Edges[] => {
  const nodes = Array.from({ length: size }, (_, at) => at);
  const pairs = nodes.flatMap((to) =>
    nodes.filter((from) => from < to).map((from) => [from, to] as const),
  );
  const orders = permutations(nodes);
  const shapes = new Map<string, Edges>();
  for (let choice = 0; choice < 2 ** pairs.length; choice++) {
    const edges = pairs.filter((_, at) => (choice >> at) % 2 === 1);
    const shape = shapeOf(edges, orders);
    if (!shapes.has(shape)) shapes.set(shape, edges);
  }
  return [...shapes.values()];
};

const NAMES = ["a", "b", "c", "d"];

export interface NodeChange {
  readonly at: number;
  readonly change: "in place" | "replace" | "remove";
}

export const specOf = (size: number, edges: Edges, changed?: NodeChange): Spec => {
  const spec: Record<string, Spec[string]> = {};
  for (let at = 0; at < size; at++) {
    if (changed?.at === at && changed.change === "remove") continue;
    const isChanged = changed?.at === at;
    const refers = edges
      .filter(([from, to]) => to === at && !(changed?.change === "remove" && changed.at === from))
      .map(([from]) => [`to_${NAMES[from]}`, NAMES[from] ?? ""] as const);
    spec[NAMES[at] ?? ""] = {
      properties: {
        v: isChanged && changed.change === "in place" ? "2" : "1",
        "r!": isChanged && changed.change === "replace" ? "2" : "1",
      },
      refers: Object.fromEntries(refers),
    };
  }
  return spec;
};

export const edgesText = (size: number, edges: Edges): string =>
  edges.length === 0
    ? `${size} apart`
    : `${size}: ${edges.map(([from, to]) => `${NAMES[from]}-${NAMES[to]}`).join(" ")}`;
