/** Stacks, their names and the graphs of their traversals. */
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Graphs, StackNames, Stacks } from "#lib/ports/store.ts";
import { stackChange } from "../local/change-images.ts";
import { unsettledPage } from "../local/unsettled-page.ts";
import { localStackWrites } from "../local/writes.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";
import { memoryDocuments } from "./documents.ts";

export const memoryStacks = (feed: MemoryChangeFeed) => {
  const stacks = memoryDocuments<Stack>(({ tenant, id }) => [tenant, id]);
  const port: Stacks = {
    ...localStackWrites(
      stacks,
      async (work) => work(),
      (before, after) => feed.add(stackChange(before, after)),
    ),
    listStacks: async (tenant) =>
      stacks
        .list(tenant)
        .toReversed()
        .sort((left, right) => right.createdAt - left.createdAt),
    listUnsettledStacks: async (after, limit) => {
      const all = stacks.all();
      const isAfter = ({ tenant, id }: Stack) => tenant === after?.tenant && id === after.id;
      const open = all.slice(all.findIndex(isAfter) + 1).filter(({ settled }) => !settled);
      return unsettledPage(open, limit);
    },
  };
  return { port, all: stacks.all };
};

interface StackName {
  readonly tenant: string;
  readonly name: string;
  readonly stackId: string;
}

export const memoryStackNames = (): StackNames => {
  const names = memoryDocuments<StackName>(({ tenant, name }) => [tenant, name]);
  return {
    putStackName: async (tenant, name, stackId) => {
      names.insert({ tenant, name, stackId });
      return names.get(tenant, name)?.stackId ?? stackId;
    },
    getStackName: async (tenant, name) => names.get(tenant, name)?.stackId ?? null,
    takeOverStackName: async (tenant, name, oldId, newId) => {
      if (names.get(tenant, name)?.stackId !== oldId) return false;
      names.put({ tenant, name, stackId: newId });
      return true;
    },
  };
};

export const memoryGraphs = () => {
  const graphs = memoryDocuments<ConvergenceGraph>((graph) => [graph.stackId, graph.traversalId]);
  const port: Graphs = {
    putGraph: async (graph) => {
      graphs.insert(graph);
      return graphs.get(graph.stackId, graph.traversalId) ?? graph;
    },
    getGraph: async (stackId, traversalId) => graphs.get(stackId, traversalId),
  };
  return { port, all: graphs.all };
};
