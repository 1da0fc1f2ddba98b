import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryIds } from "#lib/adapters/memory/seeded.ts";
import { type MemoryStore, memoryStore } from "#lib/adapters/memory/store.ts";
import { buildGraph } from "#lib/convergence/graph/convergence-graph.ts";
import { type IndexedGraph, indexGraph, leavesOf } from "#lib/convergence/graph/indexed-graph.ts";
import { storedGraph, storeGraph } from "#lib/convergence/graph/store-graph.ts";
import { GRAPH_PART_NODES_MAX } from "#lib/convergence/limits.ts";
import { present } from "#lib/errors.ts";
import type { ConvergenceGraph, GraphNode } from "#lib/model/graph.ts";
import { finished } from "#lib/template/bind/bind.ts";
import { aRow } from "../rows.ts";
import { notedGraphReads } from "./noted-graph-reads.ts";

const EXPIRES_AT = 1_000;

/** Resource `at` depends on the resources at `requires[at]`. The first `rowCount` have rows. */
const graphOf = (requires: readonly (readonly number[])[], rowCount: number): ConvergenceGraph =>
  finished(
    buildGraph({
      stackId: "stack",
      traversalId: "current",
      traversalNumber: 2,
      action: "UPDATE",
      templateId: "target",
      targets: requires.map((names, at) => ({
        name: `r${at}`,
        requires: names.map((of) => `r${of}`),
      })),
      rows: requires.slice(0, rowCount).map((of, at) =>
        aRow({
          id: `row ${at}`,
          name: `r${at}`,
          requires: of.filter((one) => one < rowCount).map((one) => `row ${one}`),
        }),
      ),
      interruptedTemplateId: null,
      mintId: (name) => `new ${name}`,
    }),
  );

const chainOf = (size: number): ConvergenceGraph =>
  graphOf(
    Array.from({ length: size }, (_, at) => (at === 0 ? [] : [at - 1])),
    size,
  );

const putting = (store: MemoryStore) => ({ store, ids: memoryIds(1) });

const inParts = async (graph: ConvergenceGraph, partNodesMax: number, store = memoryStore()) => {
  await storeGraph(putting(store), graph, EXPIRES_AT, partNodesMax);
  return present(await storedGraph({ store }, "stack", "current"), "the graph");
};

const walked = async (index: IndexedGraph): Promise<readonly GraphNode[]> => {
  const all: GraphNode[] = [];
  for await (const nodes of index.walk()) all.push(...nodes);
  return all;
};

describe("a graph in parts", () => {
  const anyGraph = fc
    .integer({ min: 1, max: 12 })
    .chain((size) =>
      fc
        .tuple(
          fc.tuple(
            ...Array.from({ length: size }, (_, at) =>
              fc.subarray(Array.from({ length: at }, (_none, of) => of)),
            ),
          ),
          fc.integer({ min: 0, max: size }),
        )
        .map(([requires, rowCount]) => graphOf(requires, rowCount)),
    );

  it("answers as the whole graph does, for parts of any size", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.integer({ min: 1, max: 6 }), async (graph, partNodesMax) => {
        const whole = indexGraph({ store: memoryStore() }, graph);
        const parts = await inParts(graph, partNodesMax);
        const all = await walked(parts);
        expect(all).toEqual(await walked(whole));
        expect(all.length).toBe(graph.nodes.length);
        expect(await leavesOf(parts)).toEqual(await leavesOf(whole));
        const { nodeCount, rootCount, updateRootCount, hasCleanup } = whole;
        expect(parts).toMatchObject({ nodeCount, rootCount, updateRootCount, hasCleanup });
        for (const [at, node] of graph.nodes.entries()) {
          expect(await parts.positionOf(node)).toBe(at);
          expect(await parts.nodeAt(at)).toEqual(all[at]);
        }
        expect(await parts.positionOf({ resourceId: "none", isUpdate: true })).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it("gives each edge the place of its node among those that the next one waits for", async () => {
    const graph = graphOf([[], [], [0, 1]], 0);
    const index = await inParts(graph, 1);
    const edges = (await walked(index)).map(({ requiredBy }) => requiredBy);
    const edge = { resourceId: "new r2", isUpdate: true, at: 2, fanIn: 2 };
    expect(edges).toEqual([[{ ...edge, predecessor: 0 }], [{ ...edge, predecessor: 1 }], []]);
  });

  it("has no parts up to the size of one part", async () => {
    const store = memoryStore();
    const graph = chainOf(2);
    await inParts(graph, graph.nodes.length, store);
    expect(await store.getGraph("stack", "current")).toBe(graph);
  });

  it("leaves a wide node alone in its part, which no other visit reads", async () => {
    const wide = 100;
    const graph = graphOf(
      Array.from({ length: 2 * wide }, (_, at) => (at > wide ? [wide] : [])),
      0,
    );
    const store = memoryStore();
    await inParts(graph, 16, store);
    const header = await store.getGraph("stack", "current");
    const starts = header !== null && "parts" in header ? header.parts.starts : [];
    expect(starts).toContain(wide);
    expect(starts).toContain(wide + 1);
  });
});

describe("of two prepares of one traversal that see different rows", () => {
  it("the first header counts, and its parts are those that it was made with", async () => {
    const store = memoryStore();
    const [mine, other] = [graphOf([[], [0], [1]], 3), graphOf([[], [], [0]], 1)];
    // The other worker has stored its parts, but not its header.
    const late = Promise.withResolvers<undefined>();
    const slow = {
      ...store,
      putGraph: async (...given: Parameters<typeof store.putGraph>) => {
        await late.promise;
        return store.putGraph(...given);
      },
    };
    const losing = storeGraph({ ...putting(store), store: slow }, other, EXPIRES_AT, 1);
    const first = await storeGraph(putting(store), mine, EXPIRES_AT, 1);
    late.resolve(undefined);
    const index = indexGraph({ store }, mine);
    const whole = await walked(index);
    const leaves = await leavesOf(index);
    for (const stored of [first, await losing]) {
      expect(await walked(stored.index)).toEqual(whole);
      expect(stored.leaves).toEqual(leaves);
    }
    const read = present(await storedGraph({ store }, "stack", "current"), "the graph");
    expect(await walked(read)).toEqual(whole);
  });

  it("a prepare that repeats a dead one's work puts the same parts", async () => {
    const names: string[] = [];
    const store = memoryStore();
    const watched = {
      ...store,
      putGraphPart: async (...given: Parameters<typeof store.putGraphPart>) => {
        names.push(`${given[0].build} ${given[0].part}`);
        return store.putGraphPart(...given);
      },
    };
    for (let times = 0; times < 2; times++) {
      await storeGraph({ ...putting(store), store: watched }, chainOf(3), EXPIRES_AT, 2);
    }
    expect(names.length).toBe(2 * new Set(names).size);
  });
});

describe("a visit of a cold worker", () => {
  const recordsOf = async (size: number): Promise<readonly number[]> => {
    const store = memoryStore();
    const graph = chainOf(size);
    await storeGraph(putting(store), graph, EXPIRES_AT, GRAPH_PART_NODES_MAX);
    const bytes: number[] = [];
    const cold = notedGraphReads(store, (record) => bytes.push(JSON.stringify(record).length));
    const index = present(await storedGraph({ store: cold }, "stack", "current"), "the graph");
    const at = await index.positionOf({ resourceId: `row ${size >> 1}`, isUpdate: true });
    expect((await index.nodeAt(present(at, "the node"))).name).toBe(`r${size >> 1}`);
    return bytes;
  };

  it("reads a header and two parts, and these do not grow with the graph", async () => {
    const [some, many] = [await recordsOf(1_000), await recordsOf(10_000)];
    expect(some.length).toBe(3);
    expect(many.length).toBe(3);
    const bytes = many.reduce((sum, one) => sum + one);
    expect(bytes).toBeLessThan(JSON.stringify(chainOf(10_000)).length / 10);
  });
});

it("a large graph that a former version stored as a whole is read as it is", async () => {
  const store = memoryStore();
  const graph = chainOf(2 * GRAPH_PART_NODES_MAX);
  await store.putGraph(graph, EXPIRES_AT);
  const index = present(await storedGraph({ store }, "stack", "current"), "the graph");
  expect(await walked(index)).toEqual(await walked(await inParts(graph, 100)));
});
