import { describe, expect, it } from "vitest";
import { beginningLife } from "#lib/ports/life.ts";

const NOW = 1_750_000_100_000;
const HOUR_MS = 3_600_000;
const lowest = () => 0;
const highest = (below: number) => below - 1;
/** More operations than a row can begin in the time that a restore loses. */
const OPERATIONS = 50_000;

describe("the life that a restore begins", () => {
  it.each([
    ["a second later", NOW + 1_000],
    ["in the same second", NOW],
    ["under a clock that was set back by an hour", NOW - HOUR_MS],
  ])("is above all that the life of its backup has counted: %s", (_, now) => {
    const former = beginningLife(NOW, lowest, 0);
    expect(beginningLife(now, lowest, former)).toBeGreaterThan(former + OPERATIONS);
  });

  it("differs between two restores of one backup, and has at most fifteen digits", () => {
    const first = beginningLife(NOW, lowest, 0);
    expect(beginningLife(NOW, highest, 0)).not.toBe(first);
    const in2286 = 9_999_999_999_000;
    expect(String(beginningLife(in2286, highest, 0))).toHaveLength(15);
  });
});
