import { expect, it } from "vitest";
import { brokenBound, DEPENDS_ON, storm } from "./storm.ts";

/**
 * `node test/simulation/random/storm.ts --resources 10000` runs the full size in about a minute.
 */
const RESOURCES = 2_000;
/** Waits, polls and the sweeper's messages, besides the messages of predecessors. */
const OTHER_SENDS = 1;

it("a large stack converges in the storm: everything takes effect once, and no chain of messages grows", async () => {
  const report = await storm({ resources: RESOURCES, seed: 1 });
  console.log(report);
  expect(brokenBound(report)).toBeNull();
  expect(report.stackState).toBe("CREATE_COMPLETE");
  expect(report.lost).toBeGreaterThan(0);
  expect(report.claims).toBeGreaterThanOrEqual(report.nodes);
  expect(report.leasesLost).toBeLessThanOrEqual(report.crashes + report.throttles);

  expect(report.sentBySweeper).toBeLessThanOrEqual(report.lost + report.leasesLost);
  // A repeated visit of a done node sends again to successors that are ready and not done. Say that
  // each node is sent k times, with c copies each, and has d predecessors. The first of its k × c
  // copies is drawn after about √(2 × d × k) sends. So k settles at 2 × d, whatever c and the layer
  // are.
  const sends = 2 * DEPENDS_ON + OTHER_SENDS;
  for (const average of report.sentToLayer) expect(average).toBeLessThanOrEqual(sends);
  expect(report.sent).toBeLessThanOrEqual(sends * report.nodes);
});
