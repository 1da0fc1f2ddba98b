import { describe, expect, it } from "vitest";
import { aCall, act, aRow, attributesOf, call, look, schemaOf, world } from "../world.ts";

const TEST = "OS::Heat::TestResource";
const SCENARIO = "Hearth::Test::Scenario";

describe("OS::Heat::TestResource", () => {
  it("stores its value", async () => {
    const [at, row] = [world(), aRow(TEST)];
    expect(attributesOf(await act(at, row, "CREATE"))).toEqual({ output: "test_string" });
    expect(attributesOf(await act(at, row, "UPDATE", { value: "b" }))).toEqual({ output: "b" });
    expect(at.fakeProvider.objects()).toMatchObject([
      { logicalName: "res", properties: { value: "b" } },
    ]);
    await act(at, row, "DELETE");
    expect(at.fakeProvider.objects()).toEqual([]);
  });

  it("waits as long as its action takes", async () => {
    const [at, row] = [world(), aRow(TEST)];
    const given = { wait_secs: 60, action_wait_secs: { create: 2 } };
    const request = await aCall(at, row, "CREATE", given);
    const progress = await call(at, row, request);
    expect(progress).toMatchObject({ state: "waiting", handle: request.token, pollAfterMs: 2_000 });
    at.clock.advance(1_900);
    const early = await look(at, row, request, request.token);
    expect(early).toMatchObject({ state: "waiting", pollAfterMs: 200 });
    at.clock.advance(100);
    const done = await look(at, row, request, request.token);
    expect(attributesOf(done)).toEqual({ output: "test_string" });
  });

  it("makes one object when the call is repeated", async () => {
    const [at, row] = [world(), aRow(TEST)];
    const request = await aCall(at, row, "CREATE");
    const first = await call(at, row, request);
    expect(await call(at, row, request)).toEqual(first);
    expect(at.fakeProvider.objects()).toHaveLength(1);
  });

  it("fails with Heat's text, at once or after its wait", async () => {
    const failure = {
      state: "failed",
      reason: "Test Resource failed res",
      errorType: "ValueError",
    };
    expect(await act(world(), aRow(TEST), "CREATE", { fail: true })).toEqual(failure);

    const [at, row] = [world(), aRow(TEST)];
    const request = await aCall(at, row, "CREATE", { fail: true, wait_secs: 5 });
    expect(await call(at, row, request)).toMatchObject({ state: "waiting" });
    at.clock.advance(5_000);
    const [object] = at.fakeProvider.objects();
    expect(await look(at, row, request, request.token)).toEqual({
      ...failure,
      physicalResourceId: object?.physicalId,
    });
  });

  it("never fails its deletion, and changes nothing in a failing update", async () => {
    const [at, row] = [world(), aRow(TEST)];
    await act(at, row, "CREATE", { value: "a" });
    const given = { value: "b", fail: true, wait_secs: 1 };
    expect(await act(at, row, "UPDATE", given)).toMatchObject({ state: "waiting" });
    expect(at.fakeProvider.objects()).toMatchObject([{ properties: { value: "a" } }]);
    const request = await aCall(at, row, "DELETE", { fail: true });
    expect(await call(at, row, request)).toEqual({ state: "finished", physicalResourceId: null });
  });

  it("is replaced when update_replace becomes true", async () => {
    const schema = await schemaOf(TEST);
    const mustReplace = (after: boolean) =>
      schema.mustReplace?.({}, { update_replace: after }, ["update_replace"]);
    expect([mustReplace(true), mustReplace(false)]).toEqual([true, false]);
  });
});

describe("Hearth::Test::Scenario", () => {
  it("has its properties as attributes, and null for others", async () => {
    const [at, row] = [world(), aRow(SCENARIO)];
    const stored = attributesOf(await act(at, row, "CREATE", { a: "1" }));
    const { attribute } = await schemaOf(SCENARIO);
    expect([attribute?.(stored, "a"), attribute?.(stored, "b")]).toEqual(["1", null]);
    expect(attribute?.(stored, "constructor")).toBeNull();
  });

  it("keeps its object through updates, and its deletion is idempotent", async () => {
    const [at, row] = [world(), aRow(SCENARIO)];
    await act(at, row, "CREATE", { a: "1" });
    const before = row.physicalResourceId;
    await act(at, row, "UPDATE", { a: "2" });
    expect(row.physicalResourceId).toBe(before);
    expect(at.fakeProvider.objects()).toMatchObject([{ properties: { a: "2" } }]);
    const request = await aCall(at, row, "DELETE");
    await call(at, row, request);
    expect(await call(at, row, request)).toMatchObject({ state: "finished" });
    expect(at.fakeProvider.objects()).toEqual([]);
  });

  it("is replaced if the key of a changed property has an exclamation mark", async () => {
    const { mustReplace } = await schemaOf(SCENARIO);
    expect(mustReplace?.({}, {}, ["a", "!b"])).toBe(true);
    expect(mustReplace?.({}, {}, ["a"])).toBe(false);
  });
});
