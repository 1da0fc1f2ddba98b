import { beforeEach, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const template = (value: string, more: JsonObject = {}): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    first: { type: "OS::Heat::TestResource", properties: { value, ...more } },
    second: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_attr: ["first", "output"] } },
    },
  },
});

const environment = (name: string, entry: JsonObject): JsonObject => ({
  resource_registry: { resources: { [name]: entry } },
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const state = async (path: string) =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");
const resourceState = async (path: string, name: string) =>
  textAt(
    (await world.send("GET", `${path}/resources/${name}`)).body,
    "resource",
    "resource_status",
  );
const clear = (path: string, name: string, hook: Json) =>
  world.send("POST", `${path}/resources/${name}/signal`, { unset_hook: hook });
const eventsOf = async (path: string, name: string) => {
  const { body } = await world.send("GET", `${path}/resources/${name}/events?sort_dir=asc`);
  return listAt(body, "events").map(
    (event) => `${textAt(event, "resource_status")}: ${textAt(event, "resource_status_reason")}`,
  );
};
const update = async (path: string, body: JsonObject) => {
  expect((await world.send("PUT", path, body)).status).toBe(202);
  await world.settle();
};

describe("hooks of the environment", () => {
  it("stop a resource before it is created, until the hook is cleared", async () => {
    const body = {
      template: template("1"),
      environment: environment("first", { hooks: "pre-create" }),
    };
    const path = await createStack(world, "app", body);
    await world.settle();
    expect(await state(path)).toBe("CREATE_IN_PROGRESS");
    expect(await resourceState(path, "first")).toBe("INIT_COMPLETE");
    expect(await world.fakeProvider.list()).toEqual([]);

    expect((await clear(path, "first", "pre-create")).status).toBe(200);
    await world.settle();
    expect(await state(path)).toBe("CREATE_COMPLETE");
    expect(await eventsOf(path, "first")).toEqual([
      "INIT_COMPLETE: CREATE paused until Hook pre-create is cleared",
      "INIT_COMPLETE: Hook pre-create is cleared",
      "CREATE_IN_PROGRESS: state changed",
      "CREATE_COMPLETE: state changed",
    ]);
  });

  it("stop a resource after its create, and the resources that require it", async () => {
    const hooks = ["pre-create", "post-create"];
    const path = await createStack(world, "app", {
      template: template("1"),
      environment: environment("fir*", { hooks }),
    });
    await world.settle();
    await clear(path, "first", "pre-create");
    await world.settle();
    expect(await resourceState(path, "first")).toBe("CREATE_COMPLETE");
    expect(await resourceState(path, "second")).toBe("INIT_COMPLETE");
    await clear(path, "first", "post-create");
    await world.settle();
    expect(await state(path)).toBe("CREATE_COMPLETE");
    expect((await eventsOf(path, "first")).slice(-3)).toEqual([
      "CREATE_COMPLETE: state changed",
      "CREATE_COMPLETE: CREATE paused until Hook post-create is cleared",
      "CREATE_COMPLETE: Hook post-create is cleared",
    ]);
  });

  it("stop before any update, and after one that changes something", async () => {
    const path = await createStack(world, "app", { template: template("1") });
    await world.settle();
    const stops = environment("*", { hooks: ["pre-update", "post-update"] });
    await update(path, { template: template("1"), environment: stops });
    for (const name of ["first", "second"]) {
      expect(await state(path)).toBe("UPDATE_IN_PROGRESS");
      await clear(path, name, "pre-update");
      await world.settle();
    }
    expect(await state(path)).toBe("UPDATE_COMPLETE");

    await update(path, { template: template("2"), environment: stops });
    await clear(path, "first", "pre-update");
    await world.settle();
    expect((await eventsOf(path, "first")).at(-1)).toBe(
      "UPDATE_COMPLETE: UPDATE paused until Hook post-update is cleared",
    );
    await clear(path, "first", "post-update");
    await world.settle();
    expect((await eventsOf(path, "second")).at(-1)).toBe(
      "CREATE_COMPLETE: UPDATE paused until Hook pre-update is cleared",
    );
  });

  it("stop before and after a delete", async () => {
    const body = {
      template: template("1"),
      environment: environment("second", { hooks: ["pre-delete", "post-delete"] }),
    };
    const path = await createStack(world, "app", body);
    await world.settle();
    await world.send("DELETE", path);
    await world.settle();
    expect(await state(path)).toBe("DELETE_IN_PROGRESS");
    expect(await world.fakeProvider.list()).toHaveLength(2);
    await clear(path, "second", "pre-delete");
    await world.settle();
    expect(await world.fakeProvider.list()).toHaveLength(1);
    expect(await state(path)).toBe("DELETE_IN_PROGRESS");
    await clear(path, "second", "post-delete");
    await world.settle();
    expect(await state(path)).toBe("DELETE_COMPLETE");
  });

  it("do not outlive their traversal, so a newer update and a delete ignore them", async () => {
    const body = {
      template: template("1"),
      environment: environment("*", { hooks: "pre-create" }),
    };
    const path = await createStack(world, "app", body);
    await world.settle();
    await update(path, { template: template("2") });
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    expect((await clear(path, "first", "pre-create")).status).toBe(400);

    const other = await createStack(world, "other", body);
    await world.settle();
    await world.send("DELETE", other);
    await world.settle();
    expect(await state(other)).toBe("DELETE_COMPLETE");
  });

  it("are cleared once, by name, while the resource waits", async () => {
    const body = {
      template: template("1"),
      environment: environment("first", { hooks: "pre-create" }),
    };
    const path = await createStack(world, "app", body);
    const id = path.split("/").at(-1);
    await world.settle();
    const message = async (name: string, hook: Json) =>
      at((await clear(path, name, hook)).body, "error");
    expect(await message("first", "never")).toMatchObject({
      type: "InvalidBreakPointHook",
      message: `Invalid hook type "never" for TestResource "first" Stack "app" [${id}]`,
    });
    const notDefined = (name: string, hook: string) => ({
      type: "InvalidBreakPointHook",
      message: `The "${hook}" hook is not defined on TestResource "${name}" Stack "app" [${id}]`,
    });
    expect(await message("first", "post-create")).toMatchObject(notDefined("first", "post-create"));
    expect(await message("second", "pre-create")).toMatchObject(notDefined("second", "pre-create"));
    expect(at(await message("third", "pre-create"), "type")).toBe("ResourceNotFound");
    expect((await clear(path, "first", "pre-create")).status).toBe(200);
    expect(await message("first", "pre-create")).toMatchObject(notDefined("first", "pre-create"));
  });

  it("are refused with Heat's text if there is no such hook", async () => {
    const body = { stack_name: "app", template: template("1") };
    const answer = await world.send("POST", "/stacks", {
      ...body,
      environment: environment("first", { hooks: ["pre-create", "pre-lunch"] }),
    });
    expect(answer.status).toBe(400);
    expect(at(answer.body, "error")).toMatchObject({
      type: "InvalidBreakPointHook",
      message: `Invalid hook type "['pre-create', 'pre-lunch']" for resource breakpoint, acceptable hook types are: ('pre-create', 'pre-update', 'pre-delete', 'post-create', 'post-update', 'post-delete')`,
    });
  });
});

describe("restricted actions", () => {
  const reason = async (path: string) =>
    textAt((await world.send("GET", path)).body, "stack", "stack_status_reason");

  it("fail the update of a resource, and its health stays", async () => {
    const path = await createStack(world, "app", { template: template("1") });
    await world.settle();
    const restricted = environment("first", { restricted_actions: "update" });
    await update(path, { template: template("2"), environment: restricted });
    expect(await state(path)).toBe("UPDATE_FAILED");
    expect(await reason(path)).toBe(
      "Resource UPDATE failed: ResourceActionRestricted: resources.first: update is restricted for resource.",
    );
    expect(await resourceState(path, "first")).toBe("CREATE_COMPLETE");

    const before = await world.fakeProvider.list();
    await update(path, { template: template("2") });
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    expect((await world.fakeProvider.list()).map((one) => one.physicalId)).toEqual(
      before.map((one) => one.physicalId),
    );
  });

  it("forbid replacements and updates separately", async () => {
    const path = await createStack(world, "app", { template: template("1") });
    await world.settle();
    const restricted = environment("*st", { restricted_actions: ["replace"] });
    await update(path, { template: template("2"), environment: restricted });
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    const replaced = template("2", { update_replace_value: "new" });
    await update(path, { template: replaced, environment: restricted });
    expect(await reason(path)).toContain("replace is restricted for resource.");
  });
});
