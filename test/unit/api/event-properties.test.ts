import { beforeEach, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const VERSION = "2018-08-31";
const templateOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  heat_template_version: VERSION,
  parameters: {
    password: { type: "string", hidden: true, default: "s3cr3t-text" },
    size: { type: "number", default: 3 },
  },
  resources: { thing: { type: "OS::Heat::TestResource", properties }, ...more },
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const shownEvents = async (
  path: string,
  name = "thing",
): Promise<readonly (readonly [string, Json])[]> => {
  const { body } = await world.send("GET", `${path}/resources/${name}/events?sort_dir=asc`);
  const shown: (readonly [string, Json])[] = [];
  for (const event of listAt(body, "events")) {
    const answer = await world.send("GET", textAt(event, "links", 0, "href"));
    expect(answer.status).toBe(200);
    const properties = at(answer.body, "event", "resource_properties") ?? null;
    shown.push([textAt(event, "resource_status"), properties]);
  }
  return shown;
};

const put = async (path: string, template: JsonObject): Promise<void> => {
  expect((await world.send("PUT", path, { template })).status).toBe(202);
  await world.settle();
};

describe("resource_properties of an event", () => {
  it("are hidden once an update hides their parameter, and changes nothing else", async () => {
    const template = templateOf({ value: { get_param: "password" } });
    const password = { type: "string", default: "s3cr3t-text" };
    const path = await createStack(world, "app", {
      template: { ...template, parameters: { password } },
    });
    await world.settle();
    expect(await shownEvents(path)).toContainEqual(["CREATE_COMPLETE", { value: "s3cr3t-text" }]);
    await put(path, { ...template, parameters: { password: { ...password, hidden: true } } });
    expect(await shownEvents(path)).toContainEqual(["CREATE_COMPLETE", { value: "******" }]);
  });

  it("are those that the template gives, resolved, while and after they are created", async () => {
    const value = { str_replace: { template: "size N", params: { N: { get_param: "size" } } } };
    const path = await createStack(world, "app", {
      template: templateOf({ value, wait_secs: 5 }),
    });
    const given = { value: "size 3", wait_secs: 5 };
    for (let steps = 0; steps < 2; steps++) await world.step();
    expect(await shownEvents(path)).toEqual([["CREATE_IN_PROGRESS", given]]);
    await world.settle();
    expect(await shownEvents(path)).toEqual([
      ["CREATE_IN_PROGRESS", given],
      ["CREATE_COMPLETE", given],
    ]);
    expect(await shownEvents(path, "app")).toEqual([
      ["CREATE_IN_PROGRESS", {}],
      ["CREATE_COMPLETE", {}],
    ]);
  });

  it("are none where an update has brought others since", async () => {
    const path = await createStack(world, "app", { template: templateOf({ value: "one" }) });
    await world.settle();
    await put(path, templateOf({ value: "two" }));
    expect(await shownEvents(path)).toEqual([
      ["CREATE_IN_PROGRESS", {}],
      ["CREATE_COMPLETE", {}],
      ["UPDATE_IN_PROGRESS", {}],
      ["UPDATE_COMPLETE", { value: "two" }],
    ]);
  });

  it("stay known over an update of others, a check and a suspend", async () => {
    const path = await createStack(world, "app", { template: templateOf({ value: "one" }) });
    await world.settle();
    await put(path, templateOf({ value: "one" }, { more: { type: "OS::Heat::None" } }));
    for (const action of ["check", "suspend", "resume"]) {
      await world.send("POST", `${path}/actions`, { [action]: null });
      await world.settle();
    }
    const shown = await shownEvents(path);
    expect(shown.map(([status]) => status)).toContain("RESUME_COMPLETE");
    for (const [, properties] of shown) expect(properties).toEqual({ value: "one" });
  });

  it("are the former ones of an update that goes on or has failed, as in Heat", async () => {
    const path = await createStack(world, "app", { template: templateOf({ value: "one" }) });
    await world.settle();
    await world.send("PUT", path, { template: templateOf({ value: "two", fail: true }) });
    await world.settle();
    const shown = await shownEvents(path);
    expect(shown.map(([status]) => status)).toEqual([
      "CREATE_IN_PROGRESS",
      "CREATE_COMPLETE",
      "UPDATE_IN_PROGRESS",
      "UPDATE_FAILED",
    ]);
    // The update could have succeeded before these events were written, so they show nothing.
    for (const [, properties] of shown.slice(0, 2)) expect(properties).toEqual({});
    for (const [, properties] of shown.slice(2)) expect(properties).toEqual({ value: "one" });
  });

  it("are those that were tried, of a create that has failed", async () => {
    const path = await createStack(world, "app", { template: templateOf({ fail: true }) });
    await world.settle();
    expect(await shownEvents(path)).toEqual([
      ["CREATE_IN_PROGRESS", { fail: true }],
      ["CREATE_FAILED", { fail: true }],
    ]);
  });

  it("do not show another row of the same name", async () => {
    const path = await createStack(world, "app", {
      template: templateOf({ value: "one" }),
    });
    await world.settle();
    await put(path, templateOf({ value: "two", update_replace: true }));
    const shown = await shownEvents(path);
    const values = shown.map(([status, properties]) => [status, at(properties, "value") ?? null]);
    expect(values.filter(([, value]) => value === "one")).toEqual([]);
    expect(values).toContainEqual(["CREATE_COMPLETE", "two"]);
  });

  it("are none in a deleted stack", async () => {
    const path = await createStack(world, "app", { template: templateOf({ value: "one" }) });
    await world.settle();
    await world.send("DELETE", path);
    await world.settle();
    const shown = await shownEvents(path);
    expect(shown.map(([status]) => status)).toContain("DELETE_COMPLETE");
    for (const [, properties] of shown) expect(properties).toEqual({});
  });

  it("show no hidden parameter, and none by way of another resource", async () => {
    const secret = { get_param: "password" };
    const more: JsonObject = {
      text: { type: "OS::Heat::RandomString", properties: { length: 9 } },
      holder: { type: "OS::Heat::Value", properties: { value: secret } },
      reader: {
        type: "OS::Heat::Value",
        properties: { type: "string", value: { get_attr: ["holder", "value"] } },
      },
      namer: { type: "OS::Heat::Value", properties: { value: { get_resource: "text" } } },
    };
    const template = templateOf({ value: secret, wait_secs: 1 }, more);
    const path = await createStack(world, "app", { template });
    await world.settle();
    const masked = { value: "******" };
    expect((await shownEvents(path)).at(-1)).toEqual([
      "CREATE_COMPLETE",
      { ...masked, wait_secs: 1 },
    ]);
    for (const name of ["holder", "namer"])
      expect((await shownEvents(path, name)).at(-1)?.[1]).toEqual(masked);
    expect((await shownEvents(path, "reader")).at(-1)?.[1]).toEqual({ ...masked, type: "string" });
  });

  it("are all masked of a group's member that may show a hidden parameter", async () => {
    const member: JsonObject = {
      type: "OS::Heat::TestResource",
      properties: { value: { get_param: "password" }, wait_secs: 1 },
    };
    const group: JsonObject = {
      type: "OS::Heat::ResourceGroup",
      properties: { count: 1, resource_def: member },
    };
    await createStack(world, "app", { template: templateOf({}, { group }) });
    await world.settle();
    const below = world.store.dump().stacks.find(({ owner }) => owner !== null);
    const shown = await shownEvents(`/stacks/${below?.name}/${below?.id}`, "0");
    expect(shown.at(-1)).toEqual(["CREATE_COMPLETE", { value: "******", wait_secs: "******" }]);
  });
});
