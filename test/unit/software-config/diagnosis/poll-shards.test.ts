import { describe, expect, it } from "vitest";
import { levelFor, shardAt, shardsOf } from "#lib/software-config/diagnosis/poll-memory.ts";

const FLEET = Array.from(
  { length: 2_000 },
  (_, at) => `00000000-0000-4000-8000-${at.toString(16).padStart(12, "0")}`,
);

describe("the shards of rolls", () => {
  it.each([
    [0, 0],
    [80, 0],
    [81, 1],
    [320, 1],
    [321, 2],
    [20_480, 4],
    [1_000_000, 4],
  ])("for %i servers are those of level %i", (servers, level) => {
    expect(levelFor(servers)).toBe(level);
  });

  it.each([0, 1, 2, 3, 4])(
    "of level %i share the servers evenly, and are of that level",
    (level) => {
      const sizes = new Map<string, number>();
      for (const id of FLEET) {
        const shard = shardAt(id, level);
        expect(shardsOf(id)[level]).toBe(shard);
        sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
      }
      const mean = FLEET.length / 4 ** level;
      expect(sizes.size).toBe(4 ** level);
      for (const size of sizes.values()) expect(Math.abs(size - mean)).toBeLessThan(1);
    },
  );

  it("of one server differ by level, so no roll is read twice", () => {
    for (const id of FLEET.slice(0, 10)) expect(new Set(shardsOf(id)).size).toBe(5);
  });
});
