import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { waitingDeployment } from "./deployment-world.ts";

const statusOf = async (world: World, path: string): Promise<Json | undefined> =>
  at((await world.send("GET", path)).body, "stack", "stack_status");
const patch = async (world: World, path: string, body: JsonObject = {}): Promise<void> => {
  expect((await world.send("PATCH", path, body)).status).toBe(202);
  await world.goOn();
};

const template = (resources: JsonObject): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources,
});
const note = (value: string): JsonObject => ({
  note: { type: "OS::Heat::TestResource", properties: { value } },
});

describe("a request that comes while something waits", () => {
  it("keeps the signals that a wait condition has had, so only the missing ones are waited for", async () => {
    const world = openWorld();
    const resources = {
      handle: { type: "OS::Heat::WaitConditionHandle" },
      condition: {
        type: "OS::Heat::WaitCondition",
        properties: { handle: { get_resource: "handle" }, timeout: 600, count: 2 },
      },
    };
    const path = await createStack(world, "app", { template: template(resources) });
    await world.goOn();
    await world.send("POST", `${path}/resources/handle/signal`, { data: "one", id: "a" });
    await world.goOn();
    await patch(world, path);
    expect(await statusOf(world, path)).toBe("UPDATE_IN_PROGRESS");
    await world.send("POST", `${path}/resources/handle/signal`, { data: "two", id: "b" });
    await world.goOn();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    const data = at(
      (await world.send("GET", `${path}/resources/condition`)).body,
      "resource",
      "attributes",
      "data",
    );
    expect(data).toBe('{"a": "one", "b": "two"}');
  });

  it("ends a script of a CREATE, delivers it anew, and counts no result of the first delivery", async () => {
    const site = await waitingDeployment();
    const first = await site.published();
    const url = await site.signalUrl();
    await patch(site.world, site.path);
    expect(textAt(await site.published(), "id")).not.toBe(textAt(first, "id"));
    expect(await site.signal(url, { deploy_status_code: 0 })).toMatchObject({ effect: "none" });
    await site.goOn();
    expect(await site.stackStatus()).toBe("UPDATE_IN_PROGRESS");
    await site.signal(await site.signalUrl(), { deploy_status_code: 0 });
    await site.goOn();
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });

  it("does not end a script of SUSPEND, unless it is the delete of the stack", async () => {
    const site = await waitingDeployment({ actions: ["CREATE", "SUSPEND", "DELETE"] });
    await site.signal(await site.signalUrl(), { deploy_status_code: 0 });
    await site.goOn();
    await site.world.send("POST", `${site.path}/actions`, { suspend: null });
    await site.goOn();
    const url = await site.signalUrl();
    const refused = await site.world.send("PATCH", site.path, {});
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await site.world.send("DELETE", site.path);
    await site.goOn();
    expect(await site.signal(url, { deploy_status_code: 0 })).toMatchObject({ effect: "none" });
    await site.goOn();
    expect(await site.stackStatus()).toBe("DELETE_IN_PROGRESS");
    await site.signal(await site.signalUrl(), { deploy_status_code: 0 });
    await site.goOn();
    expect(await site.stackStatus()).toBe("DELETE_COMPLETE");
  });

  it("stops at its hook again, although the former request's was cleared", async () => {
    const world = openWorld();
    const environment = { resource_registry: { resources: { note: { hooks: "pre-update" } } } };
    const path = await createStack(world, "app", { template: template(note("1")), environment });
    await world.goOn();
    const change = (value: string) => ({ template: template(note(value)), environment });
    await patch(world, path, change("2"));
    await patch(world, path, change("3"));
    expect(await statusOf(world, path)).toBe("UPDATE_IN_PROGRESS");
    await world.send("POST", `${path}/resources/note/signal`, { unset_hook: "pre-update" });
    await world.goOn();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
  });

  it("leaves a snapshot incomplete that it overtakes, and a CHECK without its end", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: template(note("1")) });
    await world.goOn();
    await world.send("POST", `${path}/snapshots`, { name: "before" });
    await patch(world, path, { template: template(note("2")) });
    const { body } = await world.send("GET", `${path}/snapshots`);
    expect(listAt(body, "snapshots").map((one) => at(one, "status"))).toEqual(["FAILED"]);
    await world.send("POST", `${path}/actions`, { check: null });
    await patch(world, path, { template: template(note("3")) });
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
  });
});
