import { expect, it } from "vitest";
import { brokenBound, DEPENDS_ON, storm } from "./storm.ts";

/** `node test/simulation/random/storm.ts --resources 10000` runs the whole of it, in about a minute. */
const RESOURCES = 2_000;
/** Waits, polls and the sweeper's, beside what predecessors send. */
const OTHER_SENDS = 1;

it("a large stack converges in the storm, does everything once, and no chain of messages grows", async () => {
  const report = await storm({ resources: RESOURCES, seed: 1 });
  console.log(report);
  expect(brokenBound(report)).toBeNull();
  expect(report.stackState).toBe("CREATE_COMPLETE");
  expect(report.lost).toBeGreaterThan(0);
  expect(report.claims).toBeGreaterThanOrEqual(report.nodes);
  expect(report.leasesLost).toBeLessThanOrEqual(report.crashes + report.throttles);

  // What the sweeper sends makes up for what was lost or died, and for nothing else.
  expect(report.sentBySweeper).toBeLessThanOrEqual(report.lost + report.leasesLost);
  // A copy that comes to a done node sends each successor that is ready and not done again. Where a node is sent
  // k times, k × c copies of it are drawn from one bag with those of its d predecessors, d × k × c: the first of
  // its own comes after about √(2 × d × k) sends, and k settles at 2 × d. It does not depend on c, nor on the layer.
  const sends = 2 * DEPENDS_ON + OTHER_SENDS;
  for (const average of report.sentToLayer) expect(average).toBeLessThanOrEqual(sends);
  expect(report.sent).toBeLessThanOrEqual(sends * report.nodes);
});
