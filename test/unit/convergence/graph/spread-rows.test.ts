import { describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryIds } from "#lib/adapters/memory/seeded.ts";
import { indexGraph } from "#lib/convergence/graph/indexed-graph.ts";
import {
  announceSpreadRows,
  letSpreadRowsExpire,
  likeRow,
  mintedIds,
} from "#lib/convergence/graph/spread-rows.ts";
import { ROWS_TOGETHER_MAX, TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import {
  isSpreadId,
  partitionOfRow,
  ROW_PARTITIONS,
  spreadPartitions,
  stackOfPartition,
} from "#lib/model/row-partitions.ts";
import { aGraph, aStack } from "#test/contract/records.ts";

const ids = memoryIds(1);
const stack = aStack({ id: "stack-1" });
const idsOf = (names: number): readonly string[] => {
  const mint = mintedIds({ ids }, stack, names);
  return Array.from({ length: names }, (_, at) => mint(`name_${at}`));
};
const partitionOf = (id: string): string => partitionOfRow({ stackId: stack.id, id });

describe("the rows of a stack", () => {
  it("lie together up to a number of names", () => {
    const partitions = new Set(idsOf(ROWS_TOGETHER_MAX).map(partitionOf));
    expect([...partitions]).toEqual([stack.id]);
  });

  it("are spread evenly above it, and no row lies with the mark", () => {
    const minted = idsOf(32_000);
    const rows = Map.groupBy(minted, partitionOf);
    expect([...rows.keys()].toSorted()).toEqual(spreadPartitions(stack.id).toSorted());
    const mean = minted.length / ROW_PARTITIONS;
    for (const { length } of rows.values()) {
      expect(length).toBeGreaterThan(0.8 * mean);
      expect(length).toBeLessThan(1.2 * mean);
    }
    for (const partition of rows.keys()) expect(stackOfPartition(partition)).toBe(stack.id);
    expect(new Set(minted).size).toBe(minted.length);
  });

  it("have replacements of their own kind", () => {
    const [together = ""] = idsOf(1);
    const [spread = ""] = idsOf(ROWS_TOGETHER_MAX + 1);
    const derived = ids.derive("replacement", "traversal-1", "row");
    expect(likeRow(together, derived)).toBe(derived);
    expect(isSpreadId(likeRow(spread, derived))).toBe(true);
  });

  it.each(["row-1", "replacement-of-", ids.fresh(), ids.derive("row"), "#"])(
    "with any other id lie together: %s",
    (id) => {
      expect(partitionOf(id)).toBe(stack.id);
    },
  );
});

const NO_PARTS = { store: { getGraphPart: async () => null } };

describe("the mark of spread rows", () => {
  const clock = memoryClock();
  const marking = (resourceId: string) => {
    const marks: (number | null)[] = [];
    const store = { spreadRows: async (_: string, at: number | null) => void marks.push(at) };
    const nodes = aGraph().nodes.map((node) => ({ ...node, resourceId }));
    return { marks, ports: { store, clock }, graph: aGraph({ nodes }) };
  };

  it("is there while a graph has such rows, and expires after the last tombstone", async () => {
    const { marks, ports, graph } = marking(idsOf(ROWS_TOGETHER_MAX + 1)[0] ?? "");
    await announceSpreadRows(ports, graph);
    await letSpreadRowsExpire(ports, indexGraph(NO_PARTS, graph));
    const [none, at] = marks;
    expect(none).toBeNull();
    expect(at).toBeGreaterThan(clock.now() + TOMBSTONE_MS);
  });

  it("costs other stacks nothing", async () => {
    const { marks, ports, graph } = marking(ids.derive("row"));
    await announceSpreadRows(ports, graph);
    await letSpreadRowsExpire(ports, indexGraph(NO_PARTS, graph));
    expect(marks).toEqual([]);
  });
});
