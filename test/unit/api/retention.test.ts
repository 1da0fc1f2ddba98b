import { beforeEach, describe, expect, it } from "vitest";
import { TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import { writeEvents } from "#lib/engine/events/write-events.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import { present } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { anEvent } from "../../contract/records.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAY_SECONDS = 24 * 60 * 60;
const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: { one: { type: "OS::Heat::TestResource" } },
};
const PARENT = {
  heat_template_version: "2018-08-31",
  resources: {
    child: { type: "OS::Heat::Stack", properties: { template: { get_file: "c" } } },
  },
};

let world: World;
beforeEach(() => {
  world = openWorld();
});

const statusOf = async (path: string): Promise<number> => (await world.send("GET", path)).status;
const namesIn = async (query: string): Promise<readonly string[]> => {
  const { body } = await world.send("GET", `/stacks${query}`);
  return listAt(body, "stacks").map((stack) => textAt(stack, "stack_name"));
};
const purge = async (seconds: number): Promise<readonly string[]> => {
  const { body } = await world.send("POST", "/_purge", { older_than_seconds: seconds });
  return listAt(body, "purged").map((stack) => textAt(stack, "stack_name"));
};
const stored = (name: string): Stack =>
  present(
    world.store.dump().stacks.find((stack) => stack.name === name),
    name,
  );

const deleted = async (name: string): Promise<string> => {
  const path = await createStack(world, name, { template: TEMPLATE });
  await world.settle();
  await world.send("DELETE", path);
  await world.settle();
  return path;
};

describe("a deleted stack", () => {
  it("loses its name, its documents and its place in the list at once", async () => {
    const path = await deleted("app");
    const { tenant, id } = stored("app");
    expect(await world.store.getStackName(tenant, "app")).toBeNull();
    expect(world.blobs.keys().filter((key) => key.includes(id))).toEqual([]);
    expect(await namesIn("")).toEqual([]);
    expect(await namesIn("?show_deleted=true")).toEqual(["app"]);
    expect(await statusOf(path)).toBe(200);
  });

  it("is seen for 30 days, and then counts as absent although the record is there", async () => {
    const path = await deleted("app");
    world.clock.advance(30 * DAY_MS - 1);
    expect(await statusOf(path)).toBe(200);
    expect(await statusOf(`${path}/events`)).toBe(200);
    world.clock.advance(1);
    expect(await statusOf(path)).toBe(404);
    expect(await statusOf(`/stacks/${stored("app").id}`)).toBe(404);
    expect(await statusOf(`${path}/events`)).toBe(404);
    expect(await namesIn("?show_deleted=true")).toEqual([]);
  });

  it("leaves tombstones for 43 days, and nothing for longer than its graphs", async () => {
    await deleted("app");
    world.clock.advance(30 * DAY_MS);
    world.store.purgeExpired(world.clock.now());
    const afterAMonth = world.store.dump();
    expect([afterAMonth.stacks, afterAMonth.events]).toEqual([[], []]);
    expect(afterAMonth.rows).toHaveLength(1);
    world.clock.advance(15 * DAY_MS);
    world.store.purgeExpired(world.clock.now());
    expect(world.store.dump()).toEqual({
      stacks: [],
      rows: [],
      syncPoints: [],
      graphs: [],
      events: [],
    });
    expect(world.blobs.keys()).toEqual([]);
  });

  it("gives its name to a new stack, before and after it is retired", async () => {
    const path = await createStack(world, "app", { template: TEMPLATE });
    await world.settle();
    await world.send("DELETE", path);
    const { writeStack } = world.store;
    world.store.writeStack = async (tenant, id, when, change) =>
      change.expiresAt === undefined
        ? writeStack(tenant, id, when, change)
        : { written: false, stack: null };
    await world.settle();
    world.store.writeStack = writeStack;
    expect(stored("app").expiresAt).toBeNull();
    const again = await createStack(world, "app", { template: TEMPLATE });
    await world.settle();
    await sweepAndRecord(world.ports);
    expect(await namesIn("")).toEqual(["app"]);
    expect(await statusOf(again)).toBe(200);
    expect(await statusOf("/stacks/app")).toBe(302);
  });

  it("is retired by the sweeper if the feed's function died before it did", async () => {
    const path = await createStack(world, "app", { template: TEMPLATE });
    await world.settle();
    const { deleteStackName } = world.store;
    await world.send("DELETE", path);
    world.store.deleteStackName = () => Promise.reject(new Error("the worker dies"));
    await expect(world.settle()).rejects.toThrow("the worker dies");
    world.store.deleteStackName = deleteStackName;
    expect(stored("app")).toMatchObject({ settled: false, expiresAt: null });
    await sweepAndRecord(world.ports);
    expect(stored("app")).toMatchObject({
      settled: true,
      expiresAt: present(stored("app").deletedAt, "deletedAt") + 30 * DAY_MS,
    });
    expect((await world.store.listUnsettledStacks(null, 1)).stacks).toEqual([]);
  });

  it("lets an event expire that is written after its stack was retired or has gone", async () => {
    await deleted("app");
    const { id: stackId, tenant } = stored("app");
    await writeEvents(world.ports, [anEvent({ stackId, tenant })]);
    world.store.purgeExpired(world.clock.now() + 30 * DAY_MS);
    expect(world.store.dump().stacks).toEqual([]);
    await writeEvents(world.ports, [anEvent({ stackId, tenant })]);
    world.store.purgeExpired(world.clock.now());
    expect(world.store.dump().events).toEqual([]);
  });
});

describe("a purge", () => {
  it("takes what was deleted long enough ago, and nothing that lives", async () => {
    await deleted("old");
    world.clock.advance(2 * DAY_MS);
    await deleted("young");
    const living = await createStack(world, "living", { template: TEMPLATE });
    await world.settle();
    expect(await purge(DAY_SECONDS)).toEqual(["old"]);
    expect(await namesIn("?show_deleted=true")).toEqual(["living", "young"]);
    expect(await purge(DAY_SECONDS)).toEqual([]);
    expect(await purge(0)).toEqual(["young"]);
    expect(await statusOf(living)).toBe(200);
    world.store.purgeExpired(world.clock.now());
    const { stacks, events } = world.store.dump();
    expect(stacks.map(({ name }) => name)).toEqual(["living"]);
    expect(new Set(events.map(({ stackId }) => stackId))).toEqual(new Set([stored("living").id]));
  });

  it("P10: leaves every tombstone and SyncPoint as it is", async () => {
    await deleted("app");
    const { rows, syncPoints } = world.store.dump();
    expect([rows.length, syncPoints.length > 0]).toEqual([1, true]);
    expect(await purge(0)).toEqual(["app"]);
    expect(world.store.dump()).toMatchObject({ rows, syncPoints });
  });

  it("P10, P13: keeps the record of a nested stack as long as a tombstone", async () => {
    const options = { template: PARENT, files: { c: JSON.stringify(TEMPLATE) } };
    const path = await createStack(world, "above", options);
    await world.settle();
    await world.send("DELETE", path);
    await world.settle();
    const nested = present(
      world.store.dump().stacks.find(({ owner }) => owner !== null),
      "the nested stack",
    );
    expect(nested.expiresAt).toBe(present(nested.deletedAt, "deletedAt") + TOMBSTONE_MS);
    expect(await purge(0)).toEqual(["above"]);
    expect(stored(nested.name)).toEqual(nested);
    world.store.purgeExpired(world.clock.now());
    expect(world.store.dump().events).toEqual([]);
  });

  it("picks up stacks that an older version deleted", async () => {
    const path = await deleted("app");
    const { tenant, id } = stored("app");
    await world.store.writeStack(tenant, id, [], { expiresAt: null, deletedAt: null });
    await world.store.putStackName(tenant, "app", { id, createdAt: null });
    expect(await purge(0)).toEqual(["app"]);
    expect(await statusOf(path)).toBe(404);
    expect(await world.store.listNamedStacks(tenant)).toEqual([]);
  });

  it("goes through a project of many stacks in parts, and never into another's", async () => {
    await deleted("app");
    const one = stored("app");
    for (let number = 0; number < 250; number += 1) {
      const id = `stack-${String(number).padStart(4, "0")}`;
      const tenant = number % 10 === 0 ? "other" : "demo";
      await world.store.createStack({ ...one, tenant, id, name: id, expiresAt: null });
    }
    let purged = 0;
    let parts = 0;
    for (let marker: unknown = null; marker !== undefined; parts += 1) {
      const asked = { older_than_seconds: 0, marker: typeof marker === "string" ? marker : null };
      const { body } = await world.send("POST", "/_purge", asked);
      purged += listAt(body, "purged").length;
      marker = at(body, "next_marker") ?? undefined;
    }
    expect({ purged, parts }).toEqual({ purged: 226, parts: 3 });
    const { stacks } = world.store.dump();
    expect(stacks.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(25);
  });

  it.each([{}, { older_than_seconds: -1 }, { older_than_seconds: 0, all: true }])(
    "refuses %j",
    async (body) => {
      expect((await world.send("POST", "/_purge", body)).status).toBe(400);
    },
  );
});

describe("the events of a living stack", () => {
  it("stay below the cap and a part of it, and the newest are among them", async () => {
    const path = await createStack(world, "app", { template: TEMPLATE });
    await world.settle();
    const { id: stackId, tenant } = stored("app");
    const ports = { ...world.ports, retention: retentionOf(30, 40) };
    const start = world.clock.now();
    for (let number = 0; number < 600; number += 1) {
      const time = start + number;
      const id = world.ports.ids.derive("event", String(number));
      await writeEvents(ports, [anEvent({ id, stackId, tenant, time })]);
      world.store.purgeExpired(world.clock.now());
      expect(world.store.dump().events.length).toBeLessThan(40 + 60);
    }
    const { body } = await world.send("GET", `${path}/events?sort_dir=desc&limit=40`);
    expect(listAt(body, "events")).toHaveLength(40);
    const times = world.store.dump().events.map(({ time }) => time - start);
    expect(Math.max(...times)).toBe(599);
  });
});
