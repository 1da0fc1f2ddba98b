import { expect, it } from "vitest";
import { crashInPairs } from "./crash-points.ts";
import { MOMENTS_EVERY } from "./moment-share.ts";

/**
 * All pairs of six resources take minutes: `node test/simulation/directed/crash-points.ts --pairs
 * 6`.
 */
it("a second crash at any later moment of the same request loses nothing", async () => {
  const { failures, points, runs } = await crashInPairs(
    { nodes: 4, inline: false, brief: true },
    { every: MOMENTS_EVERY },
  );
  expect(failures).toEqual([]);
  expect(runs).toBeGreaterThan(points);
  console.log(`4 resources: ${points} first moments, ${runs} runs`);
});
