import { describe, expect, it } from "vitest";
import { runFaults } from "../faults/fault-run.ts";

/**
 * The stride is odd, so that every kind of fault gets its turns. `npm run lane -- faults` lets
 * every call fail.
 */
const STRIDE = 37;
const STORIES_MIN = 30;

describe("a storage that fails once, at any call", () => {
  it("loses nothing and tells nothing half: every story ends as without a fault", async () => {
    const first = 1 + Math.floor(Math.random() * STRIDE);
    console.log(`npm run lane -- faults --first ${first} --stride ${STRIDE}`);
    const { wrong, stories, failed } = await runFaults({ first, stride: STRIDE });
    expect(wrong).toEqual([]);
    expect(stories).toBeGreaterThanOrEqual(STORIES_MIN);
    expect([...failed.keys()]).toEqual(expect.arrayContaining(["SELECT", "INSERT"]));
  });
});
