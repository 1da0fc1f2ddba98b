import { describe, expect, it } from "vitest";
import { batches, replayCommand } from "./random-batches.ts";

const handedOut = (runsMax: number) => [...batches(runsMax)];

describe("the random part of npm run prove", () => {
  it("hands out whole batches until the runs that were asked for are reached, and none for no runs", () => {
    expect(handedOut(0)).toEqual([]);
    const [first, ...others] = handedOut(1);
    expect(first).toMatchObject({ nested: false, from: 1 });
    expect(others).toEqual([]);
    const count = handedOut(10_000).reduce((sum, batch) => sum + batch.count, 0);
    expect(count).toBe(10_000);
  });

  it("goes through the seeds of both series without a gap, one batch of five nested", () => {
    const all = handedOut(10_000);
    for (const nested of [false, true]) {
      let next = 1;
      for (const { from, count } of all.filter((batch) => batch.nested === nested)) {
        expect(from).toBe(next);
        next += count;
      }
      expect(next - 1).toBe(nested ? 2_000 : 8_000);
    }
  });

  it("hands out the same batches first, however many follow: what was done once is not done again", () => {
    expect(handedOut(10_000).slice(0, 4)).toEqual(handedOut(2_000));
  });

  it("says how to tell the story of a run of either series", () => {
    expect(replayCommand(12, false)).toBe("npm run replay -- 12");
    expect(replayCommand(12, true)).toBe("npm run replay -- 12 1 nested");
  });
});
