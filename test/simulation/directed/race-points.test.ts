import { expect, it } from "vitest";
import { crashEverywhere, crashInPairs, EVENTS } from "./crash-points.ts";
import { MOMENTS_EVERY } from "./moment-share.ts";

const PARTIAL = "P24: updates of a part, and an update that visits all";

it.each([
  [`${PARTIAL}, crashed or overtaken`, "partial", 1, ["before", "after", "overtaken"]],
  [`${PARTIAL}, slow or doubled`, "partial", 1, ["doubled", "stalled", "answered-late"]],
  ["P24: updates and signals of a part of a group", "partial-groups", 1, ["before", "after"]],
  ["P25: deletes, removals and rollbacks that end what goes on", "deletes", 0, EVENTS],
  ["P25: a delete whose provider tells the id late", "deletes-late", 0, EVENTS],
  ["P25: a delete of what waits for a signal", "deletes-waiting", 0, EVENTS],
] as const)("%s lose nothing, at any port call", async (_, nodes, from, events) => {
  const { failures, points, runs } = await crashEverywhere({ nodes, inline: false }, events, {
    fromRequest: from,
    every: MOMENTS_EVERY,
  });
  expect(failures).toEqual([]);
  expect(runs).toBeGreaterThan(2 * points);
  console.log(`${nodes}: ${points} port calls, ${runs} runs`);
});

/** Other pairs take longer: `node test/simulation/directed/crash-points.ts --pairs held --all`. */
it("P25: a delete that ends a creation loses nothing, whatever happens twice", async () => {
  const options = { nodes: "deletes-slow", inline: false } as const;
  const { failures, runs } = await crashInPairs(options, {
    all: true,
    fromRequest: 1,
    every: MOMENTS_EVERY,
  });
  expect(failures).toEqual([]);
  expect(runs).toBeGreaterThan(1_000 / MOMENTS_EVERY);
  console.log(`${options.nodes}: ${runs} runs`);
});
