import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { at, send } from "./host/host-client.ts";
import {
  att,
  type Driver,
  differences,
  driverOf,
  fault,
  ref,
  type Spec,
} from "./step-mode-driver.ts";

const pair = (value: string): Spec => ({
  A: { properties: { v: value } },
  B: { properties: { v: att("A", "v") } },
});
const replacingPair = (value: string): Spec => ({
  A: { properties: { "v!": value } },
  B: { properties: { a: ref("A") } },
});
const chain: Spec = { A: {}, B: { after: ["A"] }, C: { after: ["B"] } };

const idOf = async (driver: Driver, name: string): Promise<string | undefined> =>
  (await driver.held()).find((one) => one.name === name)?.id;

let host: Host;
let driver: Driver;
beforeAll(async () => {
  host = await startHost({ port: 0, data: null, step: true });
});
afterAll(() => host.stop());
beforeEach(async () => {
  driver = driverOf(host.url);
  await driver.post("reset", {});
});

const isAsToldAndAtRest = async (spec: Spec, status: string): Promise<void> => {
  expect(await driver.drain()).toBe(0);
  expect(await driver.status()).toBe(status);
  expect(await differences(driver, spec)).toEqual([]);
  expect(await driver.leftovers()).toEqual({ sync_points: 0, locks: 0 });
};

describe("a rollback from outside", () => {
  it("rolls back whether the stack is in progress, complete or failed", async () => {
    await driver.create(replacingPair("1"));
    await driver.drain();
    const old = await idOf(driver, "A");
    await driver.update(replacingPair("2"));
    await driver.step(3);
    await driver.rollback();
    expect(await driver.status()).toBe("ROLLBACK_IN_PROGRESS");
    await driver.drain();
    expect(await idOf(driver, "A")).toBe(old);
    await isAsToldAndAtRest(replacingPair("1"), "ROLLBACK_COMPLETE");
    await driver.rollback();
    expect(await driver.drain()).toBe(4);
    await driver.post("faults", fault("A", "CREATE", { error: "no more room" }));
    await driver.update(replacingPair("3"));
    await driver.drain();
    expect(await driver.status()).toBe("UPDATE_FAILED");
    await driver.rollback();
    await driver.drain();
    await isAsToldAndAtRest(replacingPair("1"), "ROLLBACK_COMPLETE");
  });

  it("rolls a create back to nothing", async () => {
    await driver.create(chain);
    await driver.step(2);
    await driver.rollback();
    // The visits are the old one of C, and the cleanups of B and A.
    expect(await driver.drain()).toBe(3);
    await isAsToldAndAtRest({}, "ROLLBACK_COMPLETE");
  });

  it("refuses to roll back a stack that is absent or being deleted", async () => {
    const body = { tenant: "demo", stack_name: "foo", stack_id: "nosuch" };
    expect((await driver.post("rollback", body)).status).toBe(404);
    expect((await driver.post("rollback", { stack_name: "foo" })).status).toBe(400);
    await driver.create(chain);
    await driver.drain();
    await driver.remove();
    await expect(driver.rollback()).rejects.toThrow("answered with 400");
  });
});

describe("a fault from outside", () => {
  it("makes the provider fail the given number of times, and then succeed", async () => {
    expect((await driver.post("faults", fault("B", "CREATE", { error: "quota" }))).status).toBe(
      204,
    );
    await driver.create(chain);
    expect(await driver.drain()).toBe(2);
    expect(await driver.status()).toBe("CREATE_FAILED");
    const { body } = await send(host.url, "GET", "/v1/demo/stacks/foo");
    expect(at(body, "stack", "stack_status_reason")).toBe(
      "Resource CREATE failed: Error: resources.B: quota",
    );
    await driver.update(chain);
    await driver.drain();
    await isAsToldAndAtRest(chain, "UPDATE_COMPLETE");
  });

  it("rolls back after a fault by itself if the stack says so", async () => {
    await driver.post("faults", fault("B", "CREATE", { error: "quota" }));
    await driver.create(chain, { disable_rollback: false });
    // The visits are A and B, which fails, then the cleanups of both.
    expect(await driver.drain()).toBe(4);
    await isAsToldAndAtRest({}, "ROLLBACK_COMPLETE");
  });

  it("fails a deletion twice on request", async () => {
    await driver.create({ A: {} });
    await driver.drain();
    await driver.post("faults", fault("A", "DELETE", { error: "in use" }, 2));
    for (const status of ["DELETE_FAILED", "DELETE_FAILED", "DELETE_COMPLETE"]) {
      await driver.remove();
      expect(await driver.drain()).toBe(1);
      expect(await driver.status()).toBe(status);
    }
    await isAsToldAndAtRest({}, "DELETE_COMPLETE");
  });

  it("polls as often as requested, and each poll is a visit that the clock jumps to", async () => {
    await driver.create(pair("1"));
    await driver.drain();
    await driver.post("faults", fault("A", "UPDATE", { polls: 3 }));
    await driver.update(pair("2"));
    expect((await driver.post("step", { count: 1 })).body).toEqual({ delivered: 1, pending: 1 });
    expect(await driver.leftovers()).toMatchObject({ locks: 1 });
    expect(await driver.step(2)).toBe(2);
    expect((await driver.rows())[0]).toMatchObject({ action: "UPDATE", status: "IN_PROGRESS" });
    expect(await driver.step(1)).toBe(1);
    expect((await driver.rows())[0]).toMatchObject({ action: "UPDATE", status: "COMPLETE" });
    expect(await driver.drain()).toBe(3);
    await isAsToldAndAtRest(pair("2"), "UPDATE_COMPLETE");
  });

  it("ends the slow operation of an overtaken update before the new one gets the row", async () => {
    await driver.create(pair("1"));
    await driver.drain();
    await driver.post("faults", fault("A", "UPDATE", { polls: 2 }));
    await driver.update(pair("2"));
    await driver.step(1);
    await driver.update(pair("3"));
    await driver.drain();
    await isAsToldAndAtRest(pair("3"), "UPDATE_COMPLETE");
  });
});
