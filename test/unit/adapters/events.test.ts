import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inCausalOrder } from "#lib/adapters/aws/events.ts";
import type { StackEvent } from "#lib/model/event.ts";
import { anEvent, NOW } from "#test/contract/records.ts";

const stackId = "stack-1";
const eventOf = (
  recordId: string,
  version: number,
  traversalNumber: number,
  more: Partial<StackEvent> = {},
): StackEvent =>
  anEvent({
    stackId,
    id: `${recordId} ${version}`,
    change: { recordId, version, traversalNumber },
    ...more,
  });

const idsOf = (events: readonly StackEvent[]): readonly string[] => events.map(({ id }) => id);

describe("the order of a stack's events", () => {
  it("puts the beginning of a traversal before the rows that knew it", () => {
    const begun = eventOf(stackId, 1, 1, { time: NOW + 20 });
    const row = eventOf("row", 1, 1, { time: NOW });
    expect(idsOf(inCausalOrder([row, begun]))).toEqual(["stack-1 1", "row 1"]);
  });

  it("in one millisecond puts the end of the stack after its rows", () => {
    const begun = eventOf(stackId, 1, 1);
    const ended = eventOf(stackId, 2, 1, { resourceStatus: "COMPLETE" });
    const row = eventOf("row", 2, 1, { resourceStatus: "COMPLETE" });
    const next = eventOf(stackId, 3, 2);
    expect(idsOf(inCausalOrder([next, ended, row, begun]))).toEqual([
      "stack-1 1",
      "row 2",
      "stack-1 2",
      "stack-1 3",
    ]);
  });

  it("orders by time alone what was stored without the changes", () => {
    const old = [3, 1, 2].map((at) =>
      anEvent({
        stackId,
        id: `old ${at}`,
        time: NOW + at,
        change: { recordId: "", version: 0, traversalNumber: 0 },
      }),
    );
    expect(idsOf(inCausalOrder(old))).toEqual(["old 1", "old 2", "old 3"]);
  });

  /** A step changes a row, or with null begins a traversal. Clocks are up to nine seconds wrong. */
  const steps = fc.array(
    fc.record({
      row: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 6 }),
      error: fc.integer({ min: -9_000, max: 9_000 }),
    }),
    { maxLength: 40 },
  );

  it("follows the versions and the traversals for any wrong clocks", () => {
    fc.assert(
      fc.property(steps, fc.integer(), (told, seed) => {
        const versions = new Map<string, number>();
        let traversal = 1;
        const made = [
          eventOf(stackId, 1, 1),
          ...told.map(({ row, error }, at) => {
            const recordId = row === null ? stackId : `row-${row}`;
            if (row === null) traversal += 1;
            const version = (versions.get(recordId) ?? 1) + 1;
            versions.set(recordId, version);
            return eventOf(recordId, version, traversal, { time: NOW + at * 10 + error });
          }),
        ];
        const shuffled = made.toSorted(
          (left, right) => ((left.time * seed) % 7) - ((right.time * seed) % 7),
        );
        const ordered = inCausalOrder(shuffled);
        expect(ordered).toHaveLength(made.length);
        const begun = new Set<number>();
        const seen = new Map<string, number>();
        for (const { change } of ordered) {
          const { recordId, version, traversalNumber } = change;
          expect(version).toBeGreaterThan(seen.get(recordId) ?? 0);
          seen.set(recordId, version);
          if (recordId === stackId) begun.add(traversalNumber);
          else expect(begun).toContain(traversalNumber);
        }
      }),
    );
  });

  it("is the order of the times if all clocks are right", () => {
    fc.assert(
      fc.property(steps, (told) => {
        const events = told.map(({ row }, at) =>
          eventOf(`row-${row}`, at, 1, { time: NOW + at * 10 }),
        );
        expect(idsOf(inCausalOrder(events.toReversed()))).toEqual(idsOf(events));
      }),
    );
  });
});
