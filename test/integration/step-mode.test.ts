import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { present } from "#lib/errors.ts";
import { at, send } from "./host/host-client.ts";
import { startServe } from "./host/serve-process.ts";
import {
  att,
  type Driver,
  differences,
  driverOf,
  fault,
  ref,
  type Spec,
} from "./step-mode-driver.ts";

const hosts: Host[] = [];
const folders: string[] = [];
const start = async (data: string | null, step = true): Promise<Host> => {
  // If a sweeper ran in step mode, it would run every millisecond and the tests would notice.
  const host = await startHost({ port: 0, data, step, sweepMs: step ? 1 : 60_000 });
  hosts.push(host);
  return host;
};
const stop = async (host: Host): Promise<void> => {
  hosts.splice(hosts.indexOf(host), 1);
  await host.stop();
};
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-step-"));
  folders.push(folder);
  return folder;
};

const pair = (value: string): Spec => ({
  A: { properties: { v: value } },
  B: { properties: { v: att("A", "v") } },
});
const replacingPair = (value: string): Spec => ({
  A: { properties: { "v!": value } },
  B: { properties: { a: ref("A") } },
});
const chain: Spec = { A: {}, B: { after: ["A"] }, C: { after: ["B"] } };

const AT_REST = { sync_points: 0, locks: 0 };
const idOf = async (driver: Driver, name: string): Promise<string | undefined> =>
  (await driver.held()).find((one) => one.name === name)?.id;

describe("step mode", () => {
  let url = "";
  let driver: Driver;
  beforeEach(async () => {
    ({ url } = await start(null));
    driver = driverOf(url);
  });

  const isAsToldAndAtRest = async (spec: Spec, status: string): Promise<void> => {
    expect(await driver.drain()).toBe(0);
    expect(await driver.status()).toBe(status);
    expect(await differences(driver, spec)).toEqual([]);
    expect(await driver.leftovers()).toEqual(AT_REST);
    expect((await send(url, "GET", "/_dev/messages")).body).toEqual({ queues: {} });
  };

  it("runs nothing by itself: a request's work stays queued", async () => {
    await driver.create(chain);
    const stored = (await send(url, "GET", "/_dev/messages")).body;
    expect(at(stored, "queues", "prepare", "count")).toBe(1);
    for (let looks = 0; looks < 50; looks += 1) {
      expect((await send(url, "GET", "/_dev/messages")).body).toEqual(stored);
    }
    expect(await driver.rows()).toEqual([]);
    expect(await driver.status()).toBe("CREATE_IN_PROGRESS");
  });

  it("names the messages that wait as the story of convergence does", async () => {
    await driver.create(chain);
    const { body: before } = await send(url, "GET", "/_dev/visits");
    expect(at(before, "steps")).toBe(true);
    expect(at(before, "waiting", 0)).toMatchObject({
      type: "prepare_traversal",
      traversal: 1,
      is_current: true,
    });
    await driver.step(0);
    const { body: after } = await send(url, "GET", "/_dev/visits");
    expect(at(after, "waiting", 0)).toMatchObject({
      queue: "check",
      traversal: 1,
      name: Object.keys(chain)[0],
      is_update: true,
      acts_for_other: false,
      due_ms: 0,
      receives: 0,
    });
  });

  it("delivers the message of a worker that died again, for the same object", async () => {
    const [name = ""] = Object.keys(chain);
    const fault = { stack_name: "foo", logical_name: name, action: "CREATE", dies: true };
    expect((await driver.post("faults", fault)).status).toBe(204);
    await driver.create(chain);
    expect((await driver.post("step", { count: 5 })).body).toEqual({ delivered: 0, pending: 1 });
    const held = await driver.held();
    expect(held.map((one) => one.name)).toEqual([name]);
    const { body } = await send(url, "GET", "/_dev/visits");
    expect(at(body, "waiting", 0)).toMatchObject({ name, receives: 1, due_ms: 360_000 });
    expect(await driver.leftovers()).toMatchObject({ locks: 1 });
    await driver.step(1);
    expect(await driver.held()).toEqual(held);
    await driver.drain();
    await isAsToldAndAtRest(chain, "CREATE_COMPLETE");
  });

  it("does the housekeeping when asked for zero visits", async () => {
    await driver.create(chain);
    expect((await driver.post("step", { count: 0 })).body).toEqual({ delivered: 0, pending: 1 });
    expect(await driver.rows()).toEqual([]);
    expect(await driver.leftovers()).toMatchObject({ locks: 0 });
  });

  it("creates one resource a visit, and never visits inline", async () => {
    await driver.create(chain);
    expect((await driver.post("step", { count: 1 })).body).toEqual({ delivered: 1, pending: 1 });
    expect(await driver.held()).toHaveLength(1);
    expect((await driver.post("step", { count: 1 })).body).toEqual({ delivered: 1, pending: 1 });
    expect(await driver.held()).toHaveLength(2);
    expect((await driver.post("step", { count: 9 })).body).toEqual({ delivered: 1, pending: 0 });
    await isAsToldAndAtRest(chain, "CREATE_COMPLETE");
  });

  it("counts an update and a cleanup visit for each resource, even without differences", async () => {
    await driver.create(pair("1"));
    expect(await driver.drain()).toBe(2);
    const before = await driver.rows();
    await driver.update(pair("1"));
    expect(await driver.drain()).toBe(4);
    const after = await driver.rows();
    expect(after.map((row) => row["physical_id"])).toEqual(before.map((row) => row["physical_id"]));
    expect(after.map((row) => row["action"])).toEqual(["CREATE", "CREATE"]);
    expect(new Set([...before, ...after].map((row) => row["template_id"])).size).toBe(2);
    await isAsToldAndAtRest(pair("1"), "UPDATE_COMPLETE");
  });

  it("updates in place what has no exclamation mark, and passes the new value on", async () => {
    await driver.create(pair("1"));
    await driver.drain();
    const ids = (await driver.held()).map(({ id }) => id);
    await driver.update(pair("2"));
    expect(await driver.drain()).toBe(4);
    expect((await driver.held()).map(({ id }) => id)).toEqual(ids);
    await isAsToldAndAtRest(pair("2"), "UPDATE_COMPLETE");
  });

  it("replaces in two visits: one makes the row, one creates", async () => {
    await driver.create(replacingPair("1"));
    await driver.drain();
    const old = await idOf(driver, "A");
    await driver.update(replacingPair("2"));
    await driver.step(1);
    const rows = await driver.rows();
    const newRow = rows.find((row) => row["action"] === "INIT");
    expect(newRow).toMatchObject({ name: "A", physical_id: null });
    expect(rows.find((row) => row["physical_id"] === old)).toMatchObject({
      uuid: newRow?.["replaces"],
      replaced_by: newRow?.["uuid"],
    });
    expect(await driver.heldCount("A")).toBe(1);
    await driver.step(1);
    expect(await driver.heldCount("A")).toBe(2);
    // The visits are B, then the cleanups of B, which is in service, and of the old A.
    expect(await driver.drain()).toBe(3);
    expect(await idOf(driver, "A")).not.toBe(old);
    await isAsToldAndAtRest(replacingPair("2"), "UPDATE_COMPLETE");
  });

  it("counts visits as defined on Heat's five resources", async () => {
    const five = (a: string): Spec => ({
      A: { properties: { a } },
      B: {},
      C: { properties: { "!a": att("A", "a") }, after: ["B"] },
      D: { properties: { c: ref("C") } },
      E: { properties: { ca: att("C", "!a") } },
    });
    const six = { ...five("updated"), F: { after: ["D", "E"] } };
    await driver.create(five("initial"));
    expect(await driver.drain()).toBe(5);
    await driver.update(five("updated"));
    // Five updates, the creation of the new C, five cleanups.
    expect(await driver.drain()).toBe(11);
    await driver.update(six);
    // Six updates, and the cleanups of the five former rows.
    expect(await driver.drain()).toBe(11);
    await isAsToldAndAtRest(six, "UPDATE_COMPLETE");
    await driver.remove();
    expect(await driver.drain()).toBe(6);
    await isAsToldAndAtRest({}, "DELETE_COMPLETE");
  });

  it("also replaces when a key with an exclamation mark comes or goes", async () => {
    await driver.create({ A: { properties: { v: "1" } } });
    await driver.drain();
    await driver.update({ A: { properties: { v: "1", "w!": "1" } } });
    expect(await driver.drain()).toBe(3);
    await driver.update({ A: { properties: { v: "1" } } });
    expect(await driver.drain()).toBe(3);
    await isAsToldAndAtRest({ A: { properties: { v: "1" } } }, "UPDATE_COMPLETE");
  });

  it("leaves a resource alone if only its dependencies change", async () => {
    await driver.create({ A: {}, B: {} });
    await driver.drain();
    const ids = (await driver.held()).map(({ id }) => id);
    await driver.update({ A: {}, B: { after: ["A"] } });
    expect(await driver.drain()).toBe(4);
    expect((await driver.held()).map(({ id }) => id)).toEqual(ids);
    const rows = await driver.rows();
    const uuid = rows.find((row) => row["name"] === "A")?.["uuid"];
    expect(rows.find((row) => row["name"] === "B")).toMatchObject({
      requires: [uuid],
      action: "CREATE",
    });
  });

  it("deletes with one cleanup visit a resource, dependents first", async () => {
    await driver.create(chain);
    await driver.drain();
    await driver.remove();
    expect(await driver.step(1)).toBe(1);
    expect((await driver.held()).map(({ name }) => name)).toEqual(["A", "B"]);
    expect(await driver.drain()).toBe(2);
    await isAsToldAndAtRest({}, "DELETE_COMPLETE");
    expect(await driver.rows()).toEqual([]);
  });

  it("counts the message of an overtaken traversal, which changes nothing", async () => {
    await driver.create(chain);
    await driver.step(1);
    await driver.update({ ...chain, D: {} });
    // The old visit of B is first in the queue.
    expect((await driver.post("step", { count: 1 })).body).toEqual({ delivered: 1, pending: 2 });
    expect((await driver.held()).map(({ name }) => name)).toEqual(["A"]);
    // A, B, C and D, and the cleanup of A, which had a row when the update was prepared.
    expect(await driver.drain()).toBe(5);
    await isAsToldAndAtRest({ ...chain, D: {} }, "UPDATE_COMPLETE");
  });

  it("lets a newer update take over during a replacement", async () => {
    await driver.create(replacingPair("1"));
    await driver.drain();
    await driver.update(replacingPair("2"));
    await driver.step(2);
    await driver.update(replacingPair("3"));
    expect(await driver.heldCount("A")).toBe(2);
    await driver.drain();
    await isAsToldAndAtRest(replacingPair("3"), "UPDATE_COMPLETE");
  });

  it("drains operations that last hours at once", async () => {
    const template = {
      heat_template_version: "2018-08-31",
      resources: { slow: { type: "OS::Heat::TestResource", properties: { wait_secs: 7_200 } } },
    };
    const body = { stack_name: "slow", template, timeout_mins: 600 };
    await send(url, "POST", "/v1/demo/stacks", body);
    const slow = driverOf(url, "slow");
    // A queue delays a message by 15 minutes at most, so two hours need eight polls.
    expect(await slow.drain()).toBe(9);
    const { body: shown } = await send(url, "GET", "/v1/demo/stacks/slow");
    expect(at(shown, "stack", "stack_status")).toBe("CREATE_COMPLETE");
    expect((await send(url, "GET", "/_dev/messages")).body).toEqual({ queues: {} });
  });

  it("ends an endless wait at the stack's deadline", async () => {
    const template = {
      heat_template_version: "2018-08-31",
      resources: { slow: { type: "OS::Heat::TestResource", properties: { wait_secs: -1 } } },
    };
    await send(url, "POST", "/v1/demo/stacks", { stack_name: "slow", template, timeout_mins: 20 });
    expect(await driverOf(url, "slow").drain()).toBe(3);
    const { body: shown } = await send(url, "GET", "/v1/demo/stacks/slow");
    expect(at(shown, "stack", "stack_status")).toBe("CREATE_FAILED");
  });

  it("writes the events of a visit before it answers the step", async () => {
    await driver.create({ A: {} });
    await driver.step(1);
    const { body } = await send(url, "GET", "/v1/demo/stacks/foo/events?sort_dir=asc");
    const events = at(body, "events");
    expect(
      (Array.isArray(events) ? events : []).map((event) => at(event, "resource_name")),
    ).toEqual(["foo", "A", "A", "foo"]);
  });

  it("deletes everything on reset, and never reuses an id", async () => {
    await driver.create(chain);
    await driver.step(2);
    const before = (await driver.held()).map(({ id }) => id);
    await driver.post("faults", fault("A", "CREATE", { error: "forgotten, too" }));
    expect((await driver.post("reset", {})).status).toBe(204);
    expect((await send(url, "GET", "/v1/demo/stacks")).body).toEqual({ stacks: [] });
    expect((await send(url, "GET", "/_dev/resources")).body).toEqual({ resources: [] });
    expect(await driver.rows()).toEqual([]);
    expect(await driver.drain()).toBe(0);
    await driver.create(chain);
    expect(await driver.drain()).toBe(3);
    for (const { id } of await driver.held()) expect(before).not.toContain(id);
    await isAsToldAndAtRest(chain, "CREATE_COMPLETE");
  });

  it("reports a wrong body, and does nothing", async () => {
    for (const [route, body] of [
      ["step", { count: -1 }],
      ["step", { count: "2" }],
      ["faults", { stack_name: "foo", logical_name: "A", action: "CREATE", times: 1 }],
      ["faults", { ...fault("A", "CREATE", { polls: 1 }), error: "both" }],
      ["faults", fault("A", "SUSPEND", { polls: 1 })],
      ["faults", fault("A", "CREATE", { polls: 0 })],
    ] as const) {
      expect([route, body, (await driver.post(route, body)).status]).toEqual([route, body, 400]);
    }
    const noJson = await fetch(`${url}/_dev/step`, { method: "POST", body: "x" });
    expect(noJson.status).toBe(400);
    expect((await send(url, "GET", "/_dev/step")).status).toBe(405);
    expect((await send(url, "POST", "/_dev/rows", {})).status).toBe(405);
  });

  it("steps for several callers one after another", async () => {
    await driver.create({ A: {}, B: {}, C: {}, D: {} });
    const counts = await Promise.all([driver.step(1), driver.step(2), driver.drain()]);
    expect(counts).toEqual([1, 2, 1]);
    await isAsToldAndAtRest({ A: {}, B: {}, C: {}, D: {} }, "CREATE_COMPLETE");
  });
});

describe("step mode over a data folder", () => {
  it("resumes after a restart with exactly the same visits", async () => {
    const folder = newFolder();
    const first = await start(folder);
    await driverOf(first.url).create(chain);
    await driverOf(first.url).step(1);
    await stop(first);
    const second = await start(folder);
    expect(await driverOf(second.url).drain()).toBe(2);
    const held = await driverOf(second.url).held();
    expect(held.map(({ name }) => name)).toEqual(["A", "B", "C"]);
  });

  it("resends at its start the lost messages of a host without step mode", async () => {
    const folder = newFolder();
    const first = await start(folder);
    await driverOf(first.url).create(chain);
    await driverOf(first.url).step(1);
    await stop(first);
    const database = openSqlite(folder, systemClock());
    const [lost] = database.queue.receive("check", 1, 1);
    database.queue.delete(present(lost, "a message").receiptHandle);
    database.close();
    const second = await start(folder);
    expect(await driverOf(second.url).drain()).toBe(2);
    expect(await driverOf(second.url).held()).toHaveLength(3);
  });
});

describe("without step mode", () => {
  it("has the reading routes, but not the writing ones", async () => {
    const { url } = await start(null, false);
    for (const route of ["step", "drain", "rollback", "faults", "reset"]) {
      const answer = await send(url, "POST", `/_dev/${route}`, {});
      expect([route, answer.status]).toEqual([route, 404]);
    }
    for (const route of ["resources", "rows?stack_name=foo", "messages", "visits", "counters"]) {
      expect((await send(url, "GET", `/_dev/${route}`)).status).toBe(200);
    }
  });
});

describe("hearth serve --step", () => {
  it("waits for its steps", async () => {
    const process = await startServe("--memory", "--step");
    try {
      const driver = driverOf(process.url);
      await driver.create(chain);
      expect(await driver.held()).toEqual([]);
      expect(await driver.drain()).toBe(3);
      expect(await driver.status()).toBe("CREATE_COMPLETE");
      expect(await process.stop("SIGTERM")).toBe(0);
    } finally {
      await process.stop("SIGKILL");
    }
  });
});
