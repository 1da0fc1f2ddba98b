import { describe, expect, it } from "vitest";
import { groupRecord } from "#lib/groups/record.ts";
import { cooldownEndOf, cooldownMsOf } from "#lib/resources/groups/scaling-group.ts";
import { parts } from "#test/unit/groups/members.ts";

describe("the end of a cooldown", () => {
  const record = groupRecord(parts({ cooldownMs: 1_000, cooldownEnd: 5_000 }));
  const end = (lastGood: string | null, convergedAt: number | null): number =>
    cooldownEndOf({ lastGood, templateId: "target", convergedAt }, record);

  it("counts from the end of the last change, and is never before an earlier one", () => {
    expect(end("target", 9_000)).toBe(10_000);
    expect(end("target", 3_000)).toBe(5_000);
  });

  it("is that of an earlier change where the last one failed, or has not ended", () => {
    expect(end("before", 9_000)).toBe(5_000);
    expect(end(null, null)).toBe(5_000);
    expect(end("target", null)).toBe(5_000);
  });
});

describe("the length of a cooldown", () => {
  it("is a whole number of milliseconds that a record can hold", () => {
    expect([1.0004, -3, 0].map(cooldownMsOf)).toEqual([1_000, 0, 0]);
    expect(Number.isSafeInteger(Date.now() + cooldownMsOf(1e300))).toBe(true);
  });
});
