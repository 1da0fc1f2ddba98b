/** "aU" and "aC" are nodes. "bU>aU" is an edge: b waits for a. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { buildGraph } from "#lib/convergence/graph/convergence-graph.ts";
import { indexGraph, leavesOf } from "#lib/convergence/graph/indexed-graph.ts";
import type { ConvergenceGraph, NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import { finished } from "#lib/template/bind/bind.ts";
import { aRow } from "../rows.ts";

type Targets = Readonly<Record<string, readonly string[]>>;

const graphOf = (targets: Targets, rows: readonly Resource[]): ConvergenceGraph =>
  finished(
    buildGraph({
      stackId: "stack",
      traversalId: "current",
      traversalNumber: 2,
      action: "UPDATE",
      templateId: "target",
      targets: Object.entries(targets).map(([name, requires]) => ({ name, requires })),
      rows,
      interruptedTemplateId: null,
      mintId: (name) => `new ${name}`,
    }),
  );

const labelOf = ({ resourceId, isUpdate }: NodeKey): string =>
  `${resourceId}${isUpdate ? "U" : "C"}`;

const label = ({ nodes }: ConvergenceGraph, at: number): string => {
  const node = nodes[at];
  return node === undefined ? "none" : labelOf(node);
};

const nodesOf = (graph: ConvergenceGraph): readonly string[] =>
  graph.nodes.map((_, at) => label(graph, at));

const edgesOf = (graph: ConvergenceGraph): readonly string[] =>
  graph.nodes
    .flatMap(({ requires }, at) => requires.map((of) => `${label(graph, at)}>${label(graph, of)}`))
    .toSorted();

const row = (name: string, fields: Partial<Resource> = {}): Resource =>
  aRow({ id: name, name, ...fields });

describe("P2: the graph of a traversal", () => {
  it("goes forward over the target's definitions, and mints their rows", () => {
    const graph = graphOf({ a: [], b: ["a"] }, []);
    expect(edgesOf(graph)).toEqual(["new bU>new aU"]);
    expect(graph.nodes.map(({ mints }) => mints)).toEqual([true, true]);
  });

  it("goes backward over the rows, each cleanup after the update of its row", () => {
    const graph = graphOf({ a: [], b: ["a"] }, [row("a"), row("b", { requires: ["a"] })]);
    expect(nodesOf(graph)).toEqual(["aU", "bU", "aC", "bC"]);
    expect(edgesOf(graph)).toEqual(["aC>aU", "aC>bC", "bC>bU", "bU>aU"]);
    expect(graph.nodes.some(({ mints }) => mints)).toBe(false);
  });

  it("has the cleanups in the order in which their rows were created, not in that of ids", () => {
    const rows = [
      row("a", { createdAt: 3 }),
      row("b", { createdAt: 1 }),
      row("c", { createdAt: 2 }),
    ];
    expect(nodesOf(graphOf({}, rows))).toEqual(["bC", "cC", "aC"]);
  });

  it("has only cleanup nodes without a target", () => {
    const graph = graphOf({}, [row("a"), row("b", { requires: ["a"] })]);
    expect(edgesOf(graph)).toEqual(["aC>bC"]);
  });

  it("D11: has no node for a tombstone", () => {
    expect(nodesOf(graphOf({}, [row("a", { action: "DELETE" })]))).toEqual([]);
  });

  it("D4: cleans an old row only after the update of the chosen one", () => {
    const rows = [row("a"), row("a", { id: "old", replacedBy: "a" })];
    expect(edgesOf(graphOf({ a: [] }, rows))).toEqual(["aC>aU", "oldC>aU"]);
  });

  it("D4: cleans a row without an object at once", () => {
    const failed = { id: "failed", status: "FAILED", physicalResourceId: null } as const;
    expect(edgesOf(graphOf({ a: [] }, [row("a"), row("a", failed)]))).toEqual(["aC>aU"]);
  });

  it("cleans a replacement before the row that it replaces", () => {
    const rows = [row("a"), row("a", { id: "new", replaces: "a" })];
    expect(edgesOf(graphOf({}, rows))).toEqual(["aC>newC"]);
  });

  it("D12, case 12: leaves out a replaces edge that would close a ring", () => {
    const rows = [
      row("a", { replaces: "b", requires: ["b"] }),
      row("b", { replaces: "a", requires: [] }),
    ];
    expect(edgesOf(graphOf({}, rows))).toEqual(["bC>aC"]);
  });

  it("P10: ignores what requires or replaces a row that is gone", () => {
    const rows = [row("a", { requires: ["gone"], replaces: "gone" })];
    expect(edgesOf(graphOf({}, rows))).toEqual([]);
  });

  it("P8: knows its leaves, cleanup first, and what ends the update and the traversal", async () => {
    const graph = graphOf({ a: [], b: ["a"] }, [row("a"), row("b"), row("old")]);
    const index = indexGraph({ store: memoryStore() }, graph);
    expect((await leavesOf(index)).map(labelOf)).toEqual(["oldC", "aU"]);
    const nodes = await Promise.all(graph.nodes.map((_, at) => index.nodeAt(at)));
    const roots = nodes.filter(({ rootIndex }) => rootIndex !== null);
    expect(roots.map(labelOf)).toEqual(["aC", "bC", "oldC"]);
    expect(roots.map(({ rootIndex }) => rootIndex)).toEqual([0, 1, 2]);
    const updateRoots = nodes.filter(({ updateRootIndex }) => updateRootIndex !== null);
    expect(updateRoots.map(labelOf)).toEqual(["bU"]);
    expect(index).toMatchObject({ rootCount: 3, updateRootCount: 1, hasCleanup: true });
  });
});

describe("P2: the graph of any target over any rows", () => {
  const NAMES = ["a", "b", "c", "d"] as const;
  const IDS = ["a", "b", "c", "d", "e", "f"] as const;

  /** A resource depends on earlier ones only, because the language refuses cycles. */
  const anyTargets = fc
    .tuple(...NAMES.map((_, at) => fc.subarray(NAMES.slice(0, at))))
    .map((all) => Object.fromEntries(all.map((requires, at) => [NAMES[at], requires])));

  /** Rows require older rows only. Their names, `replaces` and `replacedBy` are random. */
  const anyRows = fc
    .tuple(
      ...IDS.map((id, at) =>
        fc.record({
          id: fc.constant(id),
          name: fc.constantFrom(...NAMES),
          requires: fc.subarray(IDS.slice(0, at)),
          replaces: fc.constantFrom(...IDS, null),
          replacedBy: fc.constantFrom(...IDS, null),
          status: fc.constantFrom("COMPLETE", "FAILED"),
        }),
      ),
    )
    .chain((all) => fc.subarray(all.map((fields) => aRow(fields))));

  const hasRing = ({ nodes }: ConvergenceGraph): boolean => {
    const left = new Set(nodes.keys());
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      for (const at of left) if (!nodes[at]?.requires.some((of) => left.has(of))) left.delete(at);
    }
    return left.size > 0;
  };

  it("D12: never has a ring, so that every node becomes ready", () => {
    fc.assert(
      fc.property(anyTargets, anyRows, (targets, rows) => {
        expect(hasRing(graphOf(targets, rows))).toBe(false);
      }),
    );
  });

  it("S7: cleans a row before every row that it requires", () => {
    fc.assert(
      fc.property(anyTargets, anyRows, (targets, rows) => {
        const edges = new Set(edgesOf(graphOf(targets, rows)));
        const ids = new Set(rows.map(({ id }) => id));
        for (const { id, requires } of rows) {
          for (const of of requires.filter((one) => ids.has(one))) {
            expect(edges).toContain(`${of}C>${id}C`);
          }
        }
      }),
    );
  });

  it("says the same in both directions", () => {
    fc.assert(
      fc.property(anyTargets, anyRows, (targets, rows) => {
        const { nodes } = graphOf(targets, rows);
        nodes.forEach(({ requires, requiredBy }, at) => {
          for (const of of requires) expect(nodes[of]?.requiredBy).toContain(at);
          for (const by of requiredBy) expect(nodes[by]?.requires).toContain(at);
        });
      }),
    );
  });
});
