import { describe, expect, it } from "vitest";
import { causeOf, isUnfinished } from "#lib/engine/resources/diagnosis.ts";
import type { ResourceView } from "#lib/engine/resources/resource-view.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import { aStack } from "#test/contract/records.ts";
import { aRow } from "../../convergence/rows.ts";

const NOW = 1_700_000_000_000;

const operation: Operation = {
  traversalId: "t1",
  isUpdate: true,
  action: "CREATE",
  generation: 1,
  startedAt: NOW - 180_000,
  deadline: NOW + 3_600_000,
  handle: "task-7",
  type: "Test::Plain",
  templateId: "target",
  properties: "sealed",
  requires: [],
  before: { action: "INIT", status: "COMPLETE", statusReason: "" },
};

const viewOf = (row: Partial<Resource> | null, more: Partial<ResourceView> = {}): ResourceView => ({
  stack: aStack({ name: "shop", status: "IN_PROGRESS" }),
  name: "db",
  type: "Test::Plain",
  row: row === null ? null : aRow({ id: "r1", name: "db", status: "IN_PROGRESS", ...row }),
  requiredBy: [],
  description: "",
  nested: null,
  ...more,
});

const judge = (view: ResourceView, more: { waitsFor?: string; missing?: string[] } = {}) =>
  causeOf({ view, verdict: null, waitsFor: null, missing: [], ...more }, NOW);

describe("the cause of an unfinished resource", () => {
  it("is its provider, with the time of the next look", () => {
    const view = viewOf({ operation, nextPollAt: NOW + 12_000 });
    expect(judge(view)).toEqual({
      kind: "provider",
      stage: null,
      certain: true,
      summary: "its provider has not finished; CREATE since 3 min, asked again in 12 s",
      advice: [],
      nextPollAt: NOW + 12_000,
    });
    expect(judge(view, { waitsFor: "1 of 3 signals have come" }).summary).toBe(
      "1 of 3 signals have come; CREATE since 3 min, asked again in 12 s",
    );
  });

  it("is the call to its provider before there is an answer", () => {
    const view = viewOf({ operation: { ...operation, handle: null } });
    expect(judge(view).summary).toBe("the call to its provider has been under way for 3 min");
    expect(judge(viewOf({})).summary).toBe("its operation is about to begin or to end");
  });

  it("is a user's turn: a hook, or a creation whose outcome is unknown", () => {
    const pause = {
      traversalId: "t1",
      isUpdate: true,
      hook: "post-create",
      cleared: false,
    } as const;
    const waiting = viewOf({ pause, status: "COMPLETE" });
    expect([isUnfinished(waiting), judge(waiting).advice]).toEqual([
      true,
      ["let it go on: `hearth stack hook clear shop db post-create`"],
    ]);
    const cleared = viewOf({ pause: { ...pause, cleared: true }, status: "COMPLETE" });
    expect(isUnfinished(cleared)).toBe(false);
    const open = viewOf({ outcomeUnknown: true, status: "FAILED", statusReason: "no answer" });
    expect(judge(open)).toMatchObject({
      kind: "unknown_outcome",
      summary: "no answer",
      advice: ["say what is so: `hearth stack resource resolve shop db`"],
    });
  });

  it("names a nested stack by its id", () => {
    const owner = {
      stackId: "s",
      resourceId: "r",
      resourceName: "below",
      generation: 1,
      childTraversalId: "c",
      rootId: "s",
      depth: 1,
    };
    const stack = aStack({ id: "stack-7", name: "shop-below-xyz", owner });
    const view = viewOf({ outcomeUnknown: true, status: "FAILED" }, { stack });
    expect(judge(view).advice[0]).toContain("resolve stack-7 db");
  });

  it("is what it requires as long as it has not begun, if the stack is on its way", () => {
    const view = viewOf(null);
    expect(isUnfinished(view)).toBe(true);
    expect(judge(view, { missing: ["a", "b", "c", "d", "e", "f", "g"] })).toMatchObject({
      kind: "requirements",
      summary: "it waits for a, b, c, d, e and 2 more",
    });
    expect(judge(view).summary).toBe("its dependencies are ready, and it starts next");
    expect(isUnfinished(viewOf(null, { stack: aStack({ status: "FAILED" }) }))).toBe(false);
  });

  it("is its failure, with the deployment's advice, or its nested stack", () => {
    const failed = viewOf({ status: "FAILED", statusReason: "exit 3" });
    const verdict = {
      stage: null,
      cause: "finished",
      certain: true,
      summary: "s",
      advice: ["read"],
    } as const;
    const facts = { view: failed, verdict, waitsFor: null, missing: [] };
    expect(causeOf(facts, NOW)).toMatchObject({
      kind: "failed",
      summary: "exit 3",
      advice: ["read"],
    });
    const nested = viewOf({ operation }, { nested: { tenant: "demo", id: "n", name: "n" } });
    expect(judge(nested).kind).toBe("nested");
  });
});
