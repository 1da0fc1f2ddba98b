import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import { aCall, act, aRow, call, keep, look, problemOf, schemaOf, world } from "../world.ts";

const DELAY = "OS::Heat::Delay";

const waitOf = async (
  action: OperationAction,
  given: JsonObject,
  at = world(),
  name = "res",
): Promise<number> => {
  const row = aRow(DELAY, name);
  const progress = await call(at, row, await aCall(at, row, action, given));
  return progress.state === "waiting" ? progress.pollAfterMs : 0;
};

describe("OS::Heat::Delay", () => {
  it("ends at the instant of its first answer, however often it is polled", async () => {
    const [at, row] = [world(), aRow(DELAY)];
    const request = await aCall(at, row, "CREATE", { min_wait: 2.5 });
    const begun = await call(at, row, request);
    expect(begun).toMatchObject({ state: "waiting", pollAfterMs: 2_500 });
    keep(row, request, begun);
    const handle = begun.state === "waiting" ? begun.handle : "";
    at.clock.advance(2_499);
    const last = await look(at, row, request, handle);
    expect(last).toMatchObject({ state: "waiting", handle, pollAfterMs: 1 });
    at.clock.advance(1);
    expect(await look(at, row, request, handle)).toEqual({
      state: "finished",
      physicalResourceId: row.physicalResourceId,
      refId: "res",
    });
  });

  it("waits in its actions only, and not at all by default", async () => {
    const actions = ["CREATE", "DELETE", "SUSPEND", "RESUME"] as const;
    for (const chosen of actions) {
      const given = { min_wait: 3, actions: [chosen] };
      const waits = await Promise.all(actions.map((action) => waitOf(action, given)));
      expect(waits).toEqual(actions.map((action) => (action === chosen ? 3_000 : 0)));
    }
    expect(await waitOf("CREATE", {})).toBe(0);
    expect(await waitOf("DELETE", { min_wait: 3 })).toBe(0);
  });

  it("adds the same jitter to repeated calls, and another one to each resource", async () => {
    const at = world();
    const given = { min_wait: 10, max_jitter: 5, jitter_multiplier: 2 };
    const waits: number[] = [];
    for (let number = 0; number < 50; number += 1) {
      const wait = await waitOf("CREATE", given, at, `r${number}`);
      expect(await waitOf("CREATE", given, at, `r${number}`)).toBe(wait);
      waits.push(wait);
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(20_000);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(5_000);
  });

  it("stays finite with any numbers", async () => {
    const given = { max_jitter: 1e300, jitter_multiplier: 1e300 };
    expect(await waitOf("CREATE", given)).toBeLessThanOrEqual(7 * 24 * 3_600_000);
  });

  it("is gone after the pause of its delete", async () => {
    const [at, row] = [world(), aRow(DELAY)];
    await act(at, row, "CREATE", { min_wait: 1, actions: ["DELETE"] });
    const request = await aCall(at, row, "DELETE");
    const begun = await call(at, row, request);
    expect(begun).toMatchObject({ state: "waiting", pollAfterMs: 1_000 });
    at.clock.advance(1_000);
    const handle = begun.state === "waiting" ? begun.handle : "";
    expect(await look(at, row, request, handle)).toEqual({
      state: "finished",
      physicalResourceId: null,
    });
  });

  it("is refused if it may take longer than the stack, with Python's number", async () => {
    const refusal = (seconds: string) =>
      `OS::Heat::Delay maximum delay ${seconds}s exceeds stack timeout.`;
    expect(await problemOf(DELAY, { min_wait: 3_600 })).toBeNull();
    expect(await problemOf(DELAY, { min_wait: 3_601 })).toBe(refusal("3601.0"));
    const whole = { min_wait: 1, max_jitter: 1_800, jitter_multiplier: 2 };
    expect(await problemOf(DELAY, whole)).toBe(refusal("3601"));
  });

  it("is replaced when it changes, as Heat has no update of it", async () => {
    const { mustReplace } = await schemaOf(DELAY);
    expect(mustReplace?.({ min_wait: 1 }, { min_wait: 2 }, ["min_wait"])).toBe(true);
  });
});

describe("OS::Heat::AccessPolicy", () => {
  const POLICY = "OS::Heat::AccessPolicy";

  it("names resources of its stack", async () => {
    expect(await problemOf(POLICY, { AllowedResources: ["res"] })).toBeNull();
    expect(await problemOf(POLICY, { AllowedResources: ["res", "other"] })).toBe(
      "AccessPolicy resource other not in stack",
    );
  });

  it("is referred to by its name", async () => {
    const [at, row] = [world(), aRow(POLICY, "policy")];
    const made = await act(at, row, "CREATE", { AllowedResources: ["policy"] });
    expect(made).toMatchObject({ state: "finished", refId: "policy" });
    expect(await act(at, row, "DELETE")).toEqual({ state: "finished", physicalResourceId: null });
  });
});
