import type { GraphNode } from "#lib/model/graph.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import { templatePrefix } from "#lib/stack/stored-places.ts";
import type { GroupsReality } from "../simulation/world/group-checkers.ts";
import { specOfGroup } from "../simulation/world/group-spec.ts";
import type { Reality } from "../simulation/world/reality.ts";
import type { Spec } from "../simulation/world/spec.ts";
import { groupIn } from "../simulation/world/watched-blobs.ts";
import { wasUsed } from "./restores.ts";
import type { State, Values } from "./state.ts";

export interface ShownState extends Reality, GroupsReality {
  /** This must be set before any check. */
  state: State;
}

interface Group {
  readonly group: GroupSource;
  readonly spec: Spec;
}

const groupOf = (sealed: string): Group | null => {
  const group = groupIn(sealed);
  return group === undefined ? null : { group, spec: specOfGroup(group) };
};

const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

const groupsOf = ({ blobs }: Values) => {
  const read = new Map<string, Group | null>();
  const known = new Map<number, ReadonlyMap<string, Group>>();
  const groupOfText = (text: string): Group | null => {
    const group = read.get(text) ?? groupOf(text);
    read.set(text, group);
    return group;
  };
  return (id: number): ReadonlyMap<string, Group> => {
    const groups =
      known.get(id) ??
      new Map(
        Object.entries(blobs.valueOf(id)).flatMap(([key, text]): [string, Group][] => {
          const group = groupOfText(text);
          return group === null ? [] : [[idOf(key), group]];
        }),
      );
    known.set(id, groups);
    return groups;
  };
};

export const realityOf = (
  values: Values,
  specs: ReadonlyMap<string, Spec>,
  initial: State,
): ShownState => {
  const allRows = (shown: ShownState): readonly Resource[] =>
    shown.state.rows.map((id) => values.rows.valueOf(id));
  const groups = groupsOf(values);
  const nodesOf = (shown: ShownState, build: string): readonly GraphNode[] =>
    shown.state.parts
      .map((id) => values.parts.valueOf(id))
      .flatMap(({ key, part }) => (key.build === build ? part.nodes : []));
  const provider = (shown: ShownState) => values.providers.valueOf(shown.state.provider);
  /**
   * Objects by the token of their creation, without the objects that a restored folder does not
   * know.
   */
  const known = (shown: ShownState): readonly [string, FakeObject][] => {
    const { lost } = values.ghosts.valueOf(shown.state.ghost);
    const all = Object.entries(provider(shown).objects);
    return lost === undefined ? all : all.filter(([, one]) => !lost.includes(one.physicalId));
  };
  const shown: ShownState = {
    state: initial,
    allRows: () => allRows(shown),
    row: (_, id) => allRows(shown).find((row) => row.id === id) ?? null,
    rowsOf: (stackId) => allRows(shown).filter((row) => row.stackId === stackId),
    stacks: () =>
      [shown.state.stack, ...shown.state.nested].flatMap((id): Stack[] => {
        const stack = values.stacks.valueOf(id);
        return stack === null ? [] : [stack];
      }),
    group: (templateId) => groups(shown.state.blobs).get(templateId)?.group,
    objects: () => known(shown).map(([, object]) => object),
    objectsOfRow: (rowId) => known(shown).filter(([token]) => token.startsWith(`${rowId}/`)).length,
    madeBy: (token) => provider(shown).objects[token]?.physicalId,
    graph: (traversalId) => {
      const graph = shown.state.graphs
        .map((id) => values.graphs.valueOf(id))
        .find((one) => one.traversalId === traversalId);
      return graph === undefined || "nodes" in graph
        ? graph
        : { ...graph, nodes: nodesOf(shown, graph.parts.build) };
    },
    spec: (templateId) => specs.get(templateId) ?? groups(shown.state.blobs).get(templateId)?.spec,
    hasTemplate: (stackId, templateId) =>
      values.blobs.valueOf(shown.state.blobs)[templatePrefix(stackId) + templateId] !== undefined,
    wasGoodInTime: (stack) =>
      values.ghosts.valueOf(shown.state.ghost).goodInTime.includes(stack.traversalId),
    life: () => shown.state.life,
    wasUsed: (row) => wasUsed(values, shown.state, row),
  };
  return shown;
};
