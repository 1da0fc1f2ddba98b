import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const template = (value: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: { key: { type: "string", hidden: true, default: "hush" } },
  resources: {
    thing: { type: "OS::Heat::TestResource", properties: { value } },
    secret: { type: "OS::Heat::RandomString" },
  },
});

let world: World;
let path: string;
beforeEach(async () => {
  world = openWorld();
  path = await createStack(world, "app", {
    template: template("one"),
    parameters: { key: "very hush" },
  });
  await world.settle();
});

const state = async () => textAt((await world.send("GET", path)).body, "stack", "stack_status");
const take = async (name: Json = "before"): Promise<string> => {
  const { status, body } = await world.send("POST", `${path}/snapshots`, { name });
  expect(status).toBe(200);
  return textAt(body, "id");
};
const message = (body: Json) => at(body, "error", "message");

describe("the snapshots of a stack", () => {
  it("are taken as an operation of the stack that changes nothing", async () => {
    const before = await world.fakeProvider.list();
    const id = await take();
    expect(await state()).toBe("SNAPSHOT_IN_PROGRESS");
    const { body } = await world.send("GET", `${path}/snapshots/${id}`);
    expect(at(body, "snapshot")).toMatchObject({
      name: "before",
      status: "IN_PROGRESS",
      data: null,
    });
    await world.settle();
    expect(await state()).toBe("SNAPSHOT_COMPLETE");
    expect(await world.fakeProvider.list()).toEqual(before);
    const shown = (await world.send("GET", `${path}/snapshots/${id}`)).body;
    expect(at(shown, "snapshot")).toMatchObject({
      id,
      status: "COMPLETE",
      status_reason: "Stack SNAPSHOT completed successfully",
      data: {
        template: template("one"),
        resources: { thing: { resource_data: { output: "one" } } },
      },
    });
  });

  it("show no secret", async () => {
    const id = await take();
    await world.settle();
    const { body } = await world.send("GET", `${path}/snapshots/${id}`);
    expect(JSON.stringify(body)).not.toContain("very hush");
    const data = at(body, "snapshot", "data");
    expect(at(data, "environment", "parameters", "key")).toBe("******");
    expect(at(data, "resources", "secret", "resource_data", "value")).toBe("******");
  });

  it("are restored by an update to their target, with hidden parameters", async () => {
    const id = await take();
    await world.settle();
    const changed = { template: template("two"), parameters: { key: "other" } };
    await world.send("PUT", path, changed);
    await world.settle();
    expect((await world.fakeProvider.list())[0]?.properties).toMatchObject({ value: "two" });
    expect((await world.send("POST", `${path}/snapshots/${id}/restore`)).status).toBe(202);
    expect(await state()).toBe("RESTORE_IN_PROGRESS");
    await world.settle();
    expect(await state()).toBe("RESTORE_COMPLETE");
    expect((await world.fakeProvider.list())[0]?.properties).toMatchObject({ value: "one" });
    const document = (await world.send("GET", `${path}/export`)).body;
    expect(at(document, "environment", "parameters", "key")).toBe("very hush");
  });

  it("are listed, deleted, and deleted with their stack", async () => {
    const first = await take("first");
    await world.settle();
    const second = await take(null);
    await world.settle();
    const listed = async () =>
      listAt((await world.send("GET", `${path}/snapshots`)).body, "snapshots").map((one) =>
        textAt(one, "id"),
      );
    expect(await listed()).toEqual([first, second]);
    expect((await world.send("DELETE", `${path}/snapshots/${first}`)).status).toBe(204);
    expect(await listed()).toEqual([second]);
    const missing = await world.send("GET", `${path}/snapshots/${first}`);
    expect(missing.status).toBe(404);
    expect(message(missing.body)).toBe(
      `The Snapshot (${first}) for Stack (app) could not be found.`,
    );
    const id = path.split("/").at(-1);
    expect(await world.ports.blobs.get(`snapshot/${id}/${second}`)).not.toBeNull();
    await world.send("DELETE", path);
    await world.settle();
    expect(await world.ports.blobs.get(`snapshot/${id}/${second}`)).toBeNull();
  });

  it("can be deleted again after an interrupted delete, which removes their data", async () => {
    const id = await take("one");
    await world.settle();
    const key = `snapshot/${path.split("/").at(-1)}/${id}`;
    vi.spyOn(world.blobs, "delete").mockRejectedValueOnce(new Error("cut off"));
    expect((await world.send("DELETE", `${path}/snapshots/${id}`)).status).toBe(500);
    expect((await world.send("DELETE", `${path}/snapshots/${id}`)).status).toBe(204);
    expect(await world.ports.blobs.get(key)).toBeNull();
    const other = await take("other");
    await world.settle();
    vi.spyOn(world.store, "writeStack").mockRejectedValueOnce(new Error("cut off"));
    expect((await world.send("DELETE", `${path}/snapshots/${other}`)).status).toBe(500);
    const { body } = await world.send("GET", `${path}/snapshots/${other}`);
    expect(at(body, "snapshot", "status")).toBe("FAILED");
    expect((await world.send("DELETE", `${path}/snapshots/${other}`)).status).toBe(204);
  });

  it("are FAILED if they did not finish, and cannot be restored", async () => {
    const id = await take();
    const refused = await world.send("POST", `${path}/snapshots/${id}/restore`);
    expect(refused.status).toBe(400);
    expect(message(refused.body)).toBe("Restoring incomplete snapshot is not supported.");
    const deleted = await world.send("DELETE", `${path}/snapshots/${id}`);
    expect(message(deleted.body)).toBe("Deleting in-progress snapshot is not supported.");
    const busy = await world.send("POST", `${path}/snapshots`, { name: "again" });
    expect(busy.status).toBe(409);
    await world.send("PUT", path, { template: template("two") });
    await world.settle();
    const { body } = await world.send("GET", `${path}/snapshots/${id}`);
    expect(at(body, "snapshot", "status")).toBe("FAILED");
  });
});

describe("marking a resource unhealthy", () => {
  const mark = (body: JsonObject, name = "thing") =>
    world.send("PATCH", `${path}/resources/${name}`, body);
  const resource = async () =>
    at((await world.send("GET", `${path}/resources/thing`)).body, "resource");

  it("makes the next update replace it", async () => {
    const [before] = await world.fakeProvider.list();
    expect((await mark({ mark_unhealthy: true, resource_status_reason: "it hums" })).status).toBe(
      200,
    );
    expect(await resource()).toMatchObject({
      resource_status: "CHECK_FAILED",
      resource_status_reason: "it hums",
    });
    await world.send("PUT", path, { template: template("one") });
    await world.settle();
    expect(await state()).toBe("UPDATE_COMPLETE");
    const after = await world.fakeProvider.list();
    expect(after).toHaveLength(1);
    expect(after[0]?.physicalId).not.toBe(before?.physicalId);
  });

  it("shortens a reason that is too long for a row", async () => {
    await mark({ mark_unhealthy: true, resource_status_reason: "x".repeat(100_000) });
    expect(textAt((await resource()) ?? null, "resource_status_reason")).toHaveLength(8_192);
  });

  it("can be taken back, also by the physical id", async () => {
    const [before] = await world.fakeProvider.list();
    await mark({ mark_unhealthy: true }, before?.physicalId);
    expect(await resource()).toMatchObject({
      resource_status_reason: "state changed by resource_mark_unhealthy api",
    });
    await mark({ mark_unhealthy: false });
    expect(await resource()).toMatchObject({ resource_status: "CHECK_COMPLETE" });
    await world.send("PUT", path, { template: template("one") });
    await world.settle();
    expect(await world.fakeProvider.list()).toEqual([before]);
  });

  it("hides a failed create neither from a check nor from the next update", async () => {
    const failing: JsonObject = {
      heat_template_version: "2016-10-14",
      resources: { thing: { type: "OS::Heat::TestResource", properties: { fail: true } } },
    };
    for (const then of ["check", "taken back"]) {
      path = await createStack(world, `failing-${then.slice(0, 5)}`, { template: failing });
      await world.settle();
      expect((await mark({ mark_unhealthy: true, resource_status_reason: "hm" })).status).toBe(200);
      expect(await resource()).toMatchObject({
        resource_status: "CREATE_FAILED",
        resource_status_reason: "hm",
      });
      if (then === "check") {
        await world.send("POST", `${path}/actions`, { check: null });
        await world.settle();
        expect(await state()).toBe("CHECK_FAILED");
      } else await mark({ mark_unhealthy: false });
      await world.send("PUT", path, { template: failing });
      await world.settle();
      expect(await state()).toBe("UPDATE_FAILED");
    }
  });

  it("is refused with Heat's texts", async () => {
    expect(message((await mark({ mark: true })).body)).toBe(
      "Invalid keys in resource mark unhealthy {'mark'}",
    );
    expect(message((await mark({})).body)).toBe(
      "Missing mandatory (mark_unhealthy) key from mark unhealthy request",
    );
    expect((await mark({ mark_unhealthy: true }, "nothing")).status).toBe(404);
    await world.send("POST", `${path}/actions`, { check: null });
    expect((await mark({ mark_unhealthy: true })).status).toBe(409);
  });
});
