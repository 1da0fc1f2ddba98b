import type { Change, SequencedChange } from "#lib/model/event.ts";
import type {
  GraphFields,
  GraphPart,
  GraphPartKey,
  NodeFields,
  StoredGraph,
} from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import { isSpreadId } from "#lib/model/row-partitions.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Graphs, Resources, RowPage, StackNames, Stacks } from "#lib/ports/store.ts";
import { resourceChange, stackChange } from "../local/change-images.ts";
import { localResources, localStackWrites, unsettledPage } from "../local/store.ts";
import { backUpAll, memoryDocuments } from "./documents.ts";

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
    getStacks: async (tenant, ids) => ids.flatMap((id) => stacks.get(tenant, id) ?? []),
    listStacksById: async (tenant, marker, limit) =>
      stacks
        .list(tenant)
        .filter(({ id }) => marker === null || id > marker)
        .sort((left, right) => (left.id < right.id ? -1 : 1))
        .slice(0, limit),
    listUnsettledStacks: async (after, limit) => {
      const all = stacks.all();
      const isAfter = ({ tenant, id }: Stack) => tenant === after?.tenant && id === after.id;
      const open = all.slice(all.findIndex(isAfter) + 1).filter(({ settled }) => !settled);
      return unsettledPage(open, limit);
    },
  };
  return { port, all: stacks.all, purgeExpired: stacks.purgeExpired, backUp: stacks.backUp };
};

interface StackName {
  readonly tenant: string;
  readonly name: string;
  readonly stackId: string;
  readonly createdAt: number | null;
}

export const memoryStackNames = () => {
  const names = memoryDocuments<StackName>(({ tenant, name }) => [tenant, name]);
  const port: StackNames = {
    putStackName: async (tenant, name, { id, createdAt }) => {
      names.insert({ tenant, name, stackId: id, createdAt });
      return names.get(tenant, name)?.stackId ?? id;
    },
    getStackName: async (tenant, name) => names.get(tenant, name)?.stackId ?? null,
    takeOverStackName: async (tenant, name, oldId, { id, createdAt }) => {
      if (names.get(tenant, name)?.stackId !== oldId) return false;
      names.put({ tenant, name, stackId: id, createdAt });
      return true;
    },
    listNamedStacks: async (tenant) =>
      names.list(tenant).map(({ stackId, createdAt }) => ({ id: stackId, createdAt })),
    deleteStackName: async (tenant, name, stackId) => {
      if (names.get(tenant, name)?.stackId === stackId) names.delete(tenant, name);
    },
  };
  return { port, backUp: names.backUp };
};

export interface DumpedGraph extends GraphFields {
  readonly nodes: readonly NodeFields[];
}

interface ExpiringGraph {
  readonly graph: StoredGraph;
  readonly expiresAt: number;
}

interface ExpiringPart {
  readonly key: GraphPartKey;
  readonly part: GraphPart;
  readonly expiresAt: number;
}

export const memoryGraphs = () => {
  const graphs = memoryDocuments<ExpiringGraph>(({ graph }) => [graph.stackId, graph.traversalId]);
  const parts = memoryDocuments<ExpiringPart>(({ key }) => [key.build, key.part]);
  const port: Graphs = {
    putGraph: async (graph, expiresAt) => {
      graphs.insert({ graph, expiresAt });
      return graphs.get(graph.stackId, graph.traversalId)?.graph ?? graph;
    },
    getGraph: async (stackId, traversalId) => graphs.get(stackId, traversalId)?.graph ?? null,
    putGraphPart: async (key, part, expiresAt) => {
      parts.insert({ key, part, expiresAt });
    },
    getGraphPart: async ({ build, part }) => parts.get(build, part)?.part ?? null,
  };
  const withNodes = (graph: StoredGraph): DumpedGraph =>
    "nodes" in graph
      ? graph
      : { ...graph, nodes: parts.list(graph.parts.build).flatMap(({ part }) => part.nodes) };
  const all = (): readonly DumpedGraph[] => graphs.all().map(({ graph }) => withNodes(graph));
  const purgeExpired = (now: number): void => {
    graphs.purgeExpired(now);
    parts.purgeExpired(now);
  };
  return { port, all, withNodes, purgeExpired, backUp: backUpAll([graphs, parts]) };
};

const byId = (one: Resource, other: Resource): number => (one.id < other.id ? -1 : 1);

export const memoryResources = (feed: MemoryChangeFeed, rowsInPage: number) => {
  const rows = memoryDocuments<Resource>(({ stackId, id }) => [stackId, id]);
  /**
   * Spread rows of other stacks are not listed, so that a simulation detects a late `spreadRows`.
   */
  const spread = new Set<string>();
  const listed = async (stackId: string): Promise<readonly Resource[]> => {
    const all = rows.list(stackId);
    return spread.has(stackId) ? all : all.filter(({ id }) => !isSpreadId(id));
  };
  const pageOf = (all: readonly Resource[], after: string | null): RowPage => {
    const open = all.filter(({ id }) => after === null || id > after);
    const page = open.toSorted(byId).slice(0, rowsInPage);
    return { rows: page, next: page.length < open.length ? (page.at(-1)?.id ?? null) : null };
  };
  const port: Resources = {
    ...localResources(
      rows,
      async (work) => work(),
      (before, after) => feed.add(resourceChange(before, after)),
    ),
    listRows: async (stackId, after) => pageOf(await listed(stackId), after),
    listRowsNamed: async (stackId, name, after) => {
      const { rows: page, next } = pageOf(await listed(stackId), after);
      return { rows: page.filter((row) => row.name === name), next };
    },
    listResources: listed,
    listRowOutlines: listed,
    spreadRows: async (stackId) => {
      spread.add(stackId);
    },
  };
  const backUp = (): (() => void) => {
    const restore = rows.backUp();
    const kept = [...spread];
    return () => {
      restore();
      spread.clear();
      for (const stackId of kept) spread.add(stackId);
    };
  };
  return { port, rows, backUp };
};

interface MemoryChangeFeed {
  readonly changes: SequencedChange[];
  add(change: Change | null): void;
}

export const memoryChangeFeed = (): MemoryChangeFeed => {
  const changes: SequencedChange[] = [];
  let added = 0;
  return {
    changes,
    add: (change) => {
      if (change) changes.push({ sequence: ++added, ...change });
    },
  };
};
