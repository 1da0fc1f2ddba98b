import { present } from "#lib/errors.ts";
import type { ConvergenceGraph, GraphNode } from "#lib/model/graph.ts";
import { indexAmong } from "./ascending.ts";

export interface RootPositions {
  readonly all: readonly number[];
  readonly update: readonly number[];
}

export const rootsOf = ({ nodes }: ConvergenceGraph): RootPositions => {
  const all: number[] = [];
  const update: number[] = [];
  nodes.forEach((node, at) => {
    if (node.requiredBy.length === 0) all.push(at);
    if (node.isUpdate && !node.requiredBy.some((by) => nodes[by]?.isUpdate)) update.push(at);
  });
  return { all, update };
};

export const selfContainedNode = (
  { nodes }: ConvergenceGraph,
  roots: RootPositions,
  at: number,
): GraphNode => {
  const { requires, requiredBy, ...node } = present(nodes[at], `node ${at}`);
  return {
    ...node,
    fanIn: requires.length,
    requiredBy: requiredBy.map((by) => {
      const waiting = present(nodes[by], `node ${by}`);
      return {
        resourceId: waiting.resourceId,
        isUpdate: waiting.isUpdate,
        at: by,
        fanIn: waiting.requires.length,
        predecessor: present(indexAmong(waiting.requires, at), `the edge from ${at} to ${by}`),
      };
    }),
    rootIndex: indexAmong(roots.all, at),
    updateRootIndex: indexAmong(roots.update, at),
  };
};
