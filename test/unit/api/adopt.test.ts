import { beforeEach, describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const template = (value: Json): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: { suffix: { type: "string", default: "none", hidden: true } },
  resources: {
    first: { type: "OS::Heat::TestResource", properties: { value } },
    second: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_attr: ["first", "output"] } },
    },
    secret: { type: "OS::Heat::RandomString" },
  },
  outputs: {
    out: { value: { get_attr: ["first", "output"] } },
    word: { value: { get_resource: "secret" } },
  },
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const stackOf = async (path: string) => at((await world.send("GET", path)).body, "stack") ?? null;
const state = async (path: string) => textAt(await stackOf(path), "stack_status");
const outputs = async (path: string) => at(await stackOf(path), "outputs");
const objects = async () => (await world.fakeProvider.list()).map((one) => one.physicalId);

const made = async (): Promise<string> => {
  const body = { template: template("1"), parameters: { suffix: "hush" } };
  const path = await createStack(world, "app", body);
  await world.settle();
  return path;
};

describe("abandoning a stack", () => {
  it("returns its document, deletes it and keeps its resources", async () => {
    const path = await made();
    const before = await objects();
    const { status, body } = await world.send("DELETE", `${path}/abandon`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "app",
      action: "CREATE",
      status: "COMPLETE",
      environment: { parameters: { suffix: "hush" } },
      template: template("1"),
      project_id: "demo",
      resources: {
        first: {
          name: "first",
          type: "OS::Heat::TestResource",
          action: "CREATE",
          status: "COMPLETE",
          resource_data: { output: "1" },
        },
      },
    });
    expect(before).toContain(textAt(body, "resources", "first", "resource_id"));
    await world.settle();
    expect(await state(path)).toBe("DELETE_COMPLETE");
    expect(await objects()).toEqual(before);
  });

  it("also retains a resource whose create is running", async () => {
    const path = await createStack(world, "app", { template: template("1") });
    for (let steps = 0; steps < 2; steps += 1) await world.step();
    await world.send("DELETE", `${path}/abandon`);
    const before = await objects();
    await world.settle();
    expect(await state(path)).toBe("DELETE_COMPLETE");
    expect(await objects()).toEqual(before);
  });

  it("is not needed for an export of the document", async () => {
    const path = await made();
    const { body } = await world.send("GET", `${path}/export`);
    expect(at(body, "resources", "second", "status")).toBe("COMPLETE");
    expect(await state(path)).toBe("CREATE_COMPLETE");
  });
});

describe("adopting a stack", () => {
  it("takes over the resources of an abandoned one, makes none, and owns them from then on", async () => {
    const path = await made();
    const before = await objects();
    const shown = await outputs(path);
    const { body: document } = await world.send("DELETE", `${path}/abandon`);
    await world.settle();

    const adopted = await createStack(world, "app", {
      adopt_stack_data: JSON.stringify(document),
      environment: {},
    });
    expect(await state(adopted)).toBe("ADOPT_IN_PROGRESS");
    await world.settle();
    expect(await state(adopted)).toBe("ADOPT_COMPLETE");
    expect(await objects()).toEqual(before);
    expect(await outputs(adopted)).toEqual(shown);
    const { body } = await world.send("GET", `${adopted}/resources/first`);
    expect(textAt(body, "resource", "resource_status")).toBe("ADOPT_COMPLETE");

    await world.send("PUT", adopted, { template: template("2") });
    await world.settle();
    expect(await state(adopted)).toBe("UPDATE_COMPLETE");
    expect(await objects()).toEqual(before);
    await world.send("DELETE", adopted);
    await world.settle();
    expect(await state(adopted)).toBe("DELETE_COMPLETE");
    expect(await objects()).toEqual([]);
  });

  it("fails for a resource without an id, and a rollback leaves everything as it was", async () => {
    const path = await made();
    const before = await objects();
    const { body: document } = await world.send("DELETE", `${path}/abandon`);
    await world.settle();
    const resources = { first: at(document, "resources", "first") ?? null };
    const partial = { template: at(document, "template") ?? null, resources };

    const failed = await createStack(world, "left", { adopt_stack_data: partial });
    await world.settle();
    expect(await state(failed)).toBe("ADOPT_FAILED");
    expect(textAt(await stackOf(failed), "stack_status_reason")).toMatch(
      /^Resource ADOPT failed: Exception: resources\.(second|secret): Resource ID was not provided\.$/,
    );

    const rolledBack = await createStack(world, "back", {
      adopt_stack_data: partial,
      disable_rollback: false,
    });
    await world.settle();
    expect(await state(rolledBack)).toBe("ROLLBACK_COMPLETE");
    expect(await objects()).toEqual(before);
  });

  const resources = (first: JsonObject, second: JsonObject): JsonObject => ({
    heat_template_version: "2016-10-14",
    resources: {
      first: { type: "OS::Heat::TestResource", properties: first },
      second: { type: "OS::Heat::TestResource", properties: second },
    },
  });

  it("keeps adopted resources after a failed adopt and the rollback of an update", async () => {
    const given = resources({ value: "1" }, { value: "1" });
    for (const value of ["1", "2"]) {
      const path = await createStack(world, `former-${value}`, { template: given });
      await world.settle();
      const before = await objects();
      const { body: document } = await world.send("DELETE", `${path}/abandon`);
      await world.settle();
      const known = { first: at(document, "resources", "first") ?? null };
      const adopted = await createStack(world, `app-${value}`, {
        adopt_stack_data: { template: given, resources: known },
      });
      await world.settle();
      expect(await state(adopted)).toBe("ADOPT_FAILED");
      await world.send("PUT", adopted, {
        template: resources({ value }, { fail: true, wait_secs: 1 }),
        disable_rollback: false,
      });
      await world.settle();
      expect(await state(adopted)).toBe("ROLLBACK_COMPLETE");
      expect(await objects()).toEqual(before);
    }
  });

  it("is rolled back with all resources that a later update made", async () => {
    const path = await createStack(world, "app", {
      adopt_stack_data: { template: resources({}, {}), resources: {} },
      disable_rollback: false,
    });
    await world.settle();
    expect(await state(path)).toBe("ROLLBACK_COMPLETE");
    const { resources: defined, ...rest } = resources({}, { fail: true });
    const failing = at(defined, "second") ?? null;
    if (!isJsonObject(failing)) throw new Error("no second");
    const second = { ...failing, depends_on: "first" };
    await world.send("PUT", path, {
      template: { ...rest, resources: { first: at(defined, "first") ?? null, second } },
      disable_rollback: false,
    });
    await world.settle();
    expect(await state(path)).toBe("ROLLBACK_COMPLETE");
    expect(await objects()).toEqual([]);
  });

  it("refuses invalid data", async () => {
    const message = async (adopt_stack_data: Json) =>
      at(
        (await world.send("POST", "/stacks", { stack_name: "app", adopt_stack_data })).body,
        "error",
        "message",
      );
    expect(await message("[1]")).toBe("Invalid adopt data: it is not a map");
    expect(await message({ name: "app" })).toBe("Invalid adopt data: template: must be an object");
  });
});
