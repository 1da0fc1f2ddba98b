import { describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import type { ProvidedType } from "#provider/provider.ts";
import { HALF, halfDone } from "../provider/half-done.ts";
import { createStack, openWorld, textAt } from "./api-world.ts";

const template = (first: string, second: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: { half: { type: HALF, properties: { first, second } } },
});

const openHalves = (changes: Partial<ProvidedType> = {}) => {
  const { provider, objects, repairs } = halfDone(() => changes);
  const type = present(provider.types[HALF], HALF);
  const source = { provider: provider.name, name: HALF, type, limit: callLimit(), now: Date.now };
  const world = openWorld(undefined, {
    types: [providedType(source)],
    formerProvider: () => null,
  });
  const stateAfter = async (path: string): Promise<string> => {
    await world.settle();
    return textAt((await world.send("GET", path)).body, "stack", "stack_status");
  };
  const create = async (first: string, second: string) => {
    const path = await createStack(world, "app", { template: template(first, second) });
    return { path, state: await stateAfter(path) };
  };
  const change = async (path: string, first: string, second: string, more: JsonObject = {}) => {
    await world.send("PUT", path, { template: template(first, second), ...more });
    return stateAfter(path);
  };
  const check = async (path: string) => {
    await world.send("POST", `${path}/actions`, { check: null });
    return stateAfter(path);
  };
  return { objects, repairs, create, change, check };
};

const BAD = "bad";

describe("after a change in place that failed half-way", () => {
  it("the next update ends with the same object and the wanted properties", async () => {
    const { objects, repairs, create, change } = openHalves();
    const { path } = await create("1", "1");
    const [id] = objects.keys();
    expect(await change(path, "2", BAD)).toBe("UPDATE_FAILED");
    expect([...objects]).toEqual([[id, { first: "2", second: "1" }]]);
    expect(await change(path, "3", "3")).toBe("UPDATE_COMPLETE");
    expect([...objects]).toEqual([[id, { first: "3", second: "3" }]]);
    expect(await change(path, "4", "3")).toBe("UPDATE_COMPLETE");
    expect(repairs).toEqual([false, true, false]);
  });

  it("an update to the former template takes back what was done", async () => {
    const { objects, create, change } = openHalves();
    const { path } = await create("1", "1");
    const [id] = objects.keys();
    await change(path, "2", BAD);
    expect(await change(path, "1", "1")).toBe("UPDATE_COMPLETE");
    expect([...objects]).toEqual([[id, { first: "1", second: "1" }]]);
  });

  it("the rollback takes back what was done", async () => {
    const { objects, repairs, create, change } = openHalves();
    const { path } = await create("1", "1");
    const [id] = objects.keys();
    expect(await change(path, "2", BAD, { disable_rollback: false })).toBe("ROLLBACK_COMPLETE");
    expect([...objects]).toEqual([[id, { first: "1", second: "1" }]]);
    expect(repairs).toEqual([false, true]);
  });

  it("a second failure leaves the same object too", async () => {
    const { objects, create, change } = openHalves();
    const { path } = await create("1", "1");
    const [id] = objects.keys();
    await change(path, "2", BAD);
    expect(await change(path, "3", BAD)).toBe("UPDATE_FAILED");
    expect([...objects.keys()]).toEqual([id]);
  });

  it("another object is made of a type that is not repairable", async () => {
    const { objects, create, change } = openHalves({ repairable: undefined });
    const { path } = await create("1", "1");
    const [id] = objects.keys();
    await change(path, "2", BAD);
    expect(await change(path, "3", "3")).toBe("UPDATE_COMPLETE");
    expect([...objects.values()]).toEqual([{ first: "3", second: "3" }]);
    expect([...objects.keys()]).not.toEqual([id]);
  });
});

describe("a resource is replaced", () => {
  it("if its creation failed", async () => {
    const { objects, repairs, create, change } = openHalves();
    const { path, state } = await create("1", BAD);
    expect(state).toBe("CREATE_FAILED");
    const [id] = objects.keys();
    expect(await change(path, "1", "1")).toBe("UPDATE_COMPLETE");
    expect([...objects.values()]).toEqual([{ first: "1", second: "1" }]);
    expect([...objects.keys()]).not.toEqual([id]);
    expect(repairs).toEqual([]);
  });
});

it("a resource whose check failed is repaired in place, and its provider knows that", async () => {
  const { objects, repairs, create, change, check } = openHalves();
  const { path } = await create("1", "1");
  const [id] = objects.keys();
  objects.set(id ?? "", { first: "9", second: "1" });
  expect(await check(path)).toBe("CHECK_FAILED");
  expect(await change(path, "1", "1")).toBe("UPDATE_COMPLETE");
  expect([...objects]).toEqual([[id, { first: "1", second: "1" }]]);
  expect(repairs).toEqual([true]);
});
