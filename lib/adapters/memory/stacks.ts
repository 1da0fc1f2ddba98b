/** Stacks, their names and the graphs of their traversals. */
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Store } from "#lib/ports/store.ts";
import { stackChange } from "../change-images.ts";
import { decideStackWrite } from "../conditional-write.ts";
import type { MemoryChangeFeed } from "./change-feed.ts";

type StackMethods = Pick<
  Store,
  | "createStack"
  | "getStack"
  | "listStacks"
  | "listUnsettledStacks"
  | "writeStack"
  | "putStackName"
  | "getStackName"
  | "takeOverStackName"
  | "putGraph"
  | "getGraph"
>;

export interface MemoryStacks {
  readonly port: StackMethods;
  all(): readonly Stack[];
  graphs(): readonly ConvergenceGraph[];
}

export const memoryStacks = (feed: MemoryChangeFeed): MemoryStacks => {
  const stacks = new Map<string, Stack>();
  const names = new Map<string, string>();
  const graphs = new Map<string, ConvergenceGraph>();
  const keyOf = (first: string, second: string): string => `${first}/${second}`;

  const port: StackMethods = {
    createStack: async (stack) => {
      const key = keyOf(stack.tenant, stack.id);
      if (stacks.has(key)) return "exists";
      stacks.set(key, stack);
      feed.tell(stackChange(null, stack));
      return "created";
    },
    getStack: async (tenant, id) => stacks.get(keyOf(tenant, id)) ?? null,
    listStacks: async (tenant) =>
      [...stacks.values()]
        .filter((stack) => stack.tenant === tenant)
        .reverse()
        .sort((left, right) => right.createdAt - left.createdAt),
    listUnsettledStacks: async () => [...stacks.values()].filter((stack) => !stack.settled),
    writeStack: async (tenant, id, when, change) => {
      const before = stacks.get(keyOf(tenant, id)) ?? null;
      const write = decideStackWrite(before, when, change);
      if (write.written) {
        stacks.set(keyOf(tenant, id), write.stack);
        feed.tell(stackChange(before, write.stack));
      }
      return write;
    },

    putStackName: async (tenant, name, stackId) => {
      const taken = names.get(keyOf(tenant, name));
      if (taken !== undefined) return taken;
      names.set(keyOf(tenant, name), stackId);
      return stackId;
    },
    getStackName: async (tenant, name) => names.get(keyOf(tenant, name)) ?? null,
    takeOverStackName: async (tenant, name, oldId, newId) => {
      if (names.get(keyOf(tenant, name)) !== oldId) return false;
      names.set(keyOf(tenant, name), newId);
      return true;
    },

    putGraph: async (graph) => {
      const key = keyOf(graph.stackId, graph.traversalId);
      const stored = graphs.get(key);
      if (stored) return stored;
      graphs.set(key, graph);
      return graph;
    },
    getGraph: async (stackId, traversalId) => graphs.get(keyOf(stackId, traversalId)) ?? null,
  };

  return { port, all: () => [...stacks.values()], graphs: () => [...graphs.values()] };
};
