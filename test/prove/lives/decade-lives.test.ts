import { describe, expect, it } from "vitest";
import { liveDecade } from "./decade-life.ts";
import type { BrokenPromise } from "./decade-world.ts";

/** Both decades are restored from a backup. `npm run lane -- decade` plays 500. */
const SEEDS = [1, 2];

describe("P14, S39, T98: decades of a host on a folder, beside machines and a plug-in", () => {
  it("lock no agent out, give no used token to other work, and end with a delete", async () => {
    let restores = 0;
    let formerStacks = 0;
    for (const seed of SEEDS) {
      const { failure, counts } = await liveDecade(seed);
      expect(failure, `decade ${seed}`).toBeNull();
      restores += counts.restores ?? 0;
      formerStacks += counts.formerStacks ?? 0;
    }
    expect(restores).toBeGreaterThan(1);
    expect(formerStacks).toBeGreaterThan(5);
  });
});

/** The first seed finds the fault, unless random ids of the host made another decade of it. */
const FOUND: readonly (readonly [BrokenPromise, readonly number[], RegExp])[] = [
  ["a restore begins no life", [8, 14, 16], /^S39: /],
  ["a rotation ends the URLs of former keys", [1, 3, 4], /^the agent of server .* is locked out/],
  ["an agent loses its newest URL", [4, 6, 9], /^the agent of server .* is locked out/],
  ["a result is sent for another delivery", [2, 5, 8], /ended with another's result/],
];

describe("a decade in which one promise is broken", () => {
  it.each(FOUND)("is found out: %s", async (broken, seeds, expected) => {
    const failures: string[] = [];
    for (const seed of seeds) {
      const { failure } = await liveDecade(seed, broken);
      if (failure !== null && expected.test(failure)) return;
      failures.push(`${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
  });
});
