import { expect, it } from "vitest";
import { crashEverywhere } from "./crash-points.ts";
import { CRASH_NODES_MAX } from "./crash-scenario.ts";

for (const inline of [false, true]) {
  it(`C4, L2, case 10: a crash before or after any port call of a stack's life loses nothing${inline ? ", inline too" : ""}`, async () => {
    const nodes = inline ? CRASH_NODES_MAX / 2 : CRASH_NODES_MAX;
    const { failures, points, runs } = await crashEverywhere({ nodes, inline });
    expect(failures).toEqual([]);
    expect(runs).toBe(2 * points + 1);
    console.log(`${nodes} resources: ${points} port calls, ${runs} runs`);
  });
}

it("P2: a crash before or after any port call loses nothing where prepares go on in messages", async () => {
  const { failures, points, runs } = await crashEverywhere({
    nodes: 6,
    inline: false,
    large: true,
  });
  expect(failures).toEqual([]);
  expect(runs).toBe(2 * points + 1);
});

it("a crash before or after any port call loses nothing of a stack whose graphs are in parts", async () => {
  const options = { nodes: CRASH_NODES_MAX / 2, inline: false, partNodesMax: 2 };
  const { failures, points, runs } = await crashEverywhere(options);
  expect(failures).toEqual([]);
  expect(runs).toBe(2 * points + 1);
});

it("a crash before or after any port call of a group that rolls in batches loses nothing", async () => {
  const { failures, points, runs } = await crashEverywhere({ nodes: "batches", inline: false });
  expect(failures).toEqual([]);
  expect(runs).toBe(2 * points + 1);
});

it("P20: a crash before or after any port call of a group that rolls with a surplus loses nothing", async () => {
  const { failures, points, runs } = await crashEverywhere({ nodes: "groups", inline: false });
  expect(failures).toEqual([]);
  expect(runs).toBe(2 * points + 1);
});

it("P22: a crash before or after any port call of a group that signals scale loses nothing", async () => {
  const { failures, points, runs } = await crashEverywhere({ nodes: "scaling", inline: false });
  expect(failures).toEqual([]);
  expect(runs).toBe(2 * points + 1);
});
