import { describe, expect, it } from "vitest";
import { batches, replayCommand } from "./random-batches.ts";

const handedOut = (runsMax: number) => [...batches(runsMax)];

describe("the random part of npm run prove", () => {
  it("makes whole batches until there are enough runs, and none for no runs", () => {
    expect(handedOut(0)).toEqual([]);
    const [first, ...others] = handedOut(1);
    expect(first).toMatchObject({ nested: false, from: 1 });
    expect(others).toEqual([]);
    const count = handedOut(10_000).reduce((sum, batch) => sum + batch.count, 0);
    expect(count).toBe(10_000);
  });

  it("covers the seeds of both series without a gap, with one batch of five nested", () => {
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

  it("starts with the same batches for any number of runs, so that none is repeated", () => {
    expect(handedOut(10_000).slice(0, 4)).toEqual(handedOut(2_000));
  });

  it("names the command that replays a run of either series", () => {
    expect(replayCommand(12, false)).toBe("npm run replay -- 12");
    expect(replayCommand(12, true)).toBe("npm run replay -- 12 1 nested");
  });
});
