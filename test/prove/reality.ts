/** A state of the search as the checkers see it. */
import type { GraphNode } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import { templatePrefix } from "#lib/stack/document-prefixes.ts";
import type { Reality } from "../simulation/world/checkers.ts";
import type { Spec } from "../simulation/world/spec.ts";
import type { State, Values } from "./state.ts";

export interface ShownState extends Reality {
  /** Set this before any check. */
  state: State;
}

export const realityOf = (
  values: Values,
  specs: ReadonlyMap<string, Spec>,
  initial: State,
): ShownState => {
  const rowsOf = (shown: ShownState): readonly Resource[] =>
    shown.state.rows.map((id) => values.rows.valueOf(id));
  const nodesOf = (shown: ShownState, build: string): readonly GraphNode[] =>
    shown.state.parts
      .map((id) => values.parts.valueOf(id))
      .flatMap(({ key, part }) => (key.build === build ? part.nodes : []));
  const provider = (shown: ShownState) => values.providers.valueOf(shown.state.provider);
  const shown: ShownState = {
    state: initial,
    row: (_, id) => rowsOf(shown).find((row) => row.id === id) ?? null,
    rowsOf: () => rowsOf(shown),
    objects: () => Object.values(provider(shown).objects),
    objectsOfRow: (rowId) =>
      Object.keys(provider(shown).objects).filter((token) => token.startsWith(`${rowId}/`)).length,
    madeBy: (token) => provider(shown).objects[token]?.physicalId,
    graph: (traversalId) => {
      const graph = shown.state.graphs
        .map((id) => values.graphs.valueOf(id))
        .find((one) => one.traversalId === traversalId);
      return graph === undefined || "nodes" in graph
        ? graph
        : { ...graph, nodes: nodesOf(shown, graph.parts.build) };
    },
    spec: (templateId) => specs.get(templateId),
    hasTemplate: (stackId, templateId) =>
      values.blobs.valueOf(shown.state.blobs)[templatePrefix(stackId) + templateId] !== undefined,
    wasGoodInTime: (stack) =>
      values.ghosts.valueOf(shown.state.ghost).goodInTime.includes(stack.traversalId),
  };
  return shown;
};
