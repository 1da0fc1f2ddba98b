import { expect, it } from "vitest";
import { crashEverywhere } from "./crash-points.ts";
import type { CrashOptions } from "./crash-run.ts";
import { CRASH_NODES_MAX } from "./crash-scenario.ts";
import { MOMENTS_EVERY } from "./moment-share.ts";

const losesNothing = async (options: CrashOptions): Promise<number> => {
  const { failures, points, runs } = await crashEverywhere(options, undefined, {
    every: MOMENTS_EVERY,
  });
  expect(failures).toEqual([]);
  expect(runs).toBe(2 * points + 1);
  return points;
};

for (const inline of [false, true]) {
  it(`C4, L2, case 10: a crash before or after any port call of a stack's life loses nothing${inline ? ", inline too" : ""}`, async () => {
    const nodes = inline ? CRASH_NODES_MAX / 2 : CRASH_NODES_MAX;
    const points = await losesNothing({ nodes, inline });
    console.log(`${nodes} resources: ${points} port calls`);
  });
}

it("P2: a crash before or after any port call loses nothing where prepares go on in messages", async () => {
  await losesNothing({ nodes: 6, inline: false, large: true });
});

it("a crash before or after any port call loses nothing of a stack whose graphs are in parts", async () => {
  await losesNothing({ nodes: CRASH_NODES_MAX / 2, inline: false, partNodesMax: 2 });
});

it("a crash before or after any port call of a group that rolls in batches loses nothing", async () => {
  await losesNothing({ nodes: "batches", inline: false });
});

it("P20: a crash before or after any port call of a group that rolls with a surplus loses nothing", async () => {
  await losesNothing({ nodes: "groups", inline: false });
});

it("P22: a crash before or after any port call of a group that signals scale loses nothing", async () => {
  await losesNothing({ nodes: "scaling", inline: false });
});
