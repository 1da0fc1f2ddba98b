import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dependencies, type Edge } from "#lib/convergence/graph/dependencies.ts";

const SIZE = 8;

const withEdges = (size: number, edges: readonly Edge[]): Dependencies => {
  const dependencies = new Dependencies(size);
  for (const [waiting, required] of edges) dependencies.addEdge(waiting, required);
  return dependencies;
};

const anyEdge = fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1));
/** Each node waits for smaller ones only, so there is no cycle. */
const anyOrder = fc.array(
  anyEdge.filter(([waiting, required]) => required < waiting),
  { maxLength: 20 },
);
const anyMore = fc.array(
  anyEdge.filter(([waiting, required]) => required !== waiting),
  { maxLength: 10 },
);

describe("the positions on rings", () => {
  it("are none where a long chain was replaced as a whole", () => {
    const size = 2_000;
    const chain = Array.from({ length: size - 1 }, (_, at): Edge => [at + 1, at]);
    const more = Array.from({ length: size / 2 }, (_, at): Edge => [size - 1 - at, at]);
    expect(withEdges(size, chain).onRingsWith(more)).toEqual(new Set());
  });

  it("are those of rings and between them, not those that only wait for one", () => {
    const order: readonly Edge[] = [
      [2, 1],
      [3, 2],
      [4, 3],
      [6, 5],
      [7, 6],
      [5, 4],
    ];
    const rings: readonly Edge[] = [
      [1, 2],
      [3, 4],
    ];
    expect(withEdges(SIZE, order).onRingsWith(rings)).toEqual(new Set([1, 2, 3, 4]));
  });

  it("are the ends of every edge that closes a ring, in any graph and in any order", () => {
    fc.assert(
      fc.property(anyOrder, anyMore, (order, more) => {
        const [asked, told] = [withEdges(SIZE, order), withEdges(SIZE, order)];
        const onRings = told.onRingsWith(more);
        for (const [waiting, required] of more) {
          const closes = asked.waitsFor(required, waiting);
          const mayClose = onRings.has(waiting) && onRings.has(required);
          expect(closes && !mayClose).toBe(false);
          if (!closes) asked.addEdge(waiting, required);
          if (!mayClose || !told.waitsFor(required, waiting)) told.addEdge(waiting, required);
        }
        expect(told.requires()).toEqual(asked.requires());
        expect(told.requiredBy()).toEqual(asked.requiredBy());
      }),
      { numRuns: 1_000 },
    );
  });
});
