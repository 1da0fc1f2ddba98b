import { describe, expect, it } from "vitest";
import type { Asked } from "../../../../apps/cli/doctor/check.ts";
import { judgeObjects } from "../../../../apps/cli/doctor/health.ts";

const answered = (body: unknown, status = 200): Asked => ({
  kind: "answered",
  status,
  body,
  dateMs: null,
  sentAt: 0,
  receivedAt: 1,
});
const verdicts = (asked: Asked) => judgeObjects("http://h", asked).map(({ verdict }) => verdict);

const STRAY = {
  resource_type: "Example::Thing",
  physical_resource_id: "thing-1",
  stack_id: "s",
  stack_name: "old",
  resource_name: "a",
};
const UNTOLD = { resource_type: "Example::Silent", reason: "it is silent" };

describe("the objects that the doctor asks for", () => {
  it("are a warning each, with their type, id, resource and stack", () => {
    const findings = judgeObjects("http://h", answered({ objects: [STRAY], untold: [UNTOLD] }));
    expect(findings.map(({ verdict }) => verdict)).toEqual(["warning", "unchecked"]);
    expect(findings[0]?.found).toMatch(/Example::Thing thing-1 .* a of old \(s\)/);
    expect(findings[1]?.found).toBe("Example::Silent: it is silent");
  });

  it("are told with what their mark says, and the types of one reason in one line", () => {
    const bare = { ...STRAY, stack_id: null, stack_name: null, resource_name: null };
    const objects = [{ ...STRAY, stack_id: null }, bare];
    const untold = [UNTOLD, { ...UNTOLD, resource_type: "Example::Mute" }];
    const found = judgeObjects("http://h", answered({ objects, untold })).map((one) => one.found);
    expect(found).toEqual([
      expect.stringMatching(/belongs to no stack: it was made for a of old$/),
      expect.stringMatching(/belongs to no stack$/),
      "Example::Silent, Example::Mute: it is silent",
    ]);
  });

  it("are in order if none is stray", () => {
    expect(verdicts(answered({ objects: [], untold: [] }))).toEqual(["ok"]);
  });

  it("stay unchecked where an older host or nobody answers", () => {
    expect(verdicts(answered({}, 404))).toEqual(["unchecked"]);
    expect(verdicts({ kind: "unanswered", code: "ECONNREFUSED" })).toEqual(["unchecked"]);
  });
});
