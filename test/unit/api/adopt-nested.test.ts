import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const thing = (value: string): JsonObject => ({
  type: "OS::Heat::TestResource",
  properties: { value },
});
const templateOf = (resources: JsonObject): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources,
});
const below = (resources: JsonObject): JsonObject => ({
  type: "OS::Heat::Stack",
  properties: { template: JSON.stringify(templateOf(resources)) },
});
const nested = (value: string): JsonObject =>
  templateOf({ child: below({ inner: thing(value), deep: below({ deepest: thing(value) }) }) });

let world: World;
beforeEach(() => {
  world = openWorld();
});

const state = async (path: string) =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");
const objects = async () => (await world.fakeProvider.list()).map((one) => one.physicalId);
const livingStacks = async () =>
  (await world.ports.store.listStacks("demo"))
    .filter((stack) => stack.deletedAt === null)
    .map((stack) => stack.name);

const abandoned = async (steps: number | null) => {
  const path = await createStack(world, "former", { template: nested("1") });
  if (steps === null) await world.settle();
  else for (let step = 0; step < steps; step += 1) await world.step();
  const { body } = await world.send("DELETE", `${path}/abandon`);
  const before = await objects();
  await world.settle();
  expect(await state(path)).toBe("DELETE_COMPLETE");
  return { document: body, before };
};

describe("abandoning a stack with stacks below", () => {
  it("keeps their resources and deletes the stacks, at any point of the create", async () => {
    for (const steps of [2, 4, 6, 8, 10, null]) {
      world = openWorld();
      const { before } = await abandoned(steps);
      expect(await objects()).toEqual(expect.arrayContaining(before));
      expect(await livingStacks()).toEqual([]);
    }
  });
});

describe("the document of a stack with stacks below", () => {
  it("has their templates, so that one of them can be adopted alone", async () => {
    const { document, before } = await abandoned(null);
    const child = at(document, "resources", "child") ?? null;
    expect(child).toMatchObject({ status: "COMPLETE", project_id: "demo" });
    expect(at(child, "template", "resources", "inner")).toEqual(thing("1"));
    expect(at(child, "files")).toBeUndefined();
    const path = await createStack(world, "app", {
      adopt_stack_data: {
        template: at(child, "template") ?? null,
        resources: at(child, "resources") ?? null,
      },
    });
    await world.settle();
    expect(await state(path)).toBe("ADOPT_COMPLETE");
    expect(await objects()).toEqual(before);
  });
});

describe("the document of a stack with groups", () => {
  it.each([
    ["OS::Heat::ResourceGroup", { count: 2, resource_def: thing("1") }],
    ["OS::Heat::ResourceChain", { resources: ["OS::Heat::TestResource"] }],
    ["OS::Heat::AutoScalingGroup", { min_size: 2, max_size: 2, resource: thing("1") }],
  ])("has the template of %s, so that its members can be adopted alone", async (type, given) => {
    const template = templateOf({ group: { type, properties: given } });
    const former = await createStack(world, "former", { template });
    await world.settle();
    const { body } = await world.send("DELETE", `${former}/abandon`);
    await world.settle();
    const before = await objects();
    const group = at(body, "resources", "group") ?? null;
    const members = Object.keys(sectionOf(jsonObject.parse(group), "resources"));
    expect(Object.keys(sectionOf(jsonObject.parse(group), "template", "resources"))).toEqual(
      members,
    );
    const path = await createStack(world, "app", {
      adopt_stack_data: {
        template: at(group, "template") ?? null,
        resources: at(group, "resources") ?? null,
      },
    });
    await world.settle();
    expect(await state(path)).toBe("ADOPT_COMPLETE");
    expect(await objects()).toEqual(before);
    expect(before).toHaveLength(members.length);
  });
});

describe("adopting a stack with stacks below", () => {
  it("takes over their resources, changes them in place and deletes them", async () => {
    const { document, before } = await abandoned(null);
    expect(before).toHaveLength(2);
    const path = await createStack(world, "app", { adopt_stack_data: document });
    await world.settle();
    expect(await state(path)).toBe("ADOPT_COMPLETE");
    expect(await objects()).toEqual(before);
    await world.send("PUT", path, { template: nested("2") });
    await world.settle();
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    expect(await objects()).toEqual(before);
    await world.send("DELETE", path);
    await world.settle();
    expect(await objects()).toEqual([]);
    expect(await livingStacks()).toEqual([]);
  });

  it("keeps their resources after a rollback, at once or by a later update", async () => {
    const { document, before } = await abandoned(null);
    const child = at(document, "resources", "child") ?? null;
    const known = templateOf({ ...sectionOf(nested("1"), "resources"), more: thing("1") });
    const data = { template: known, resources: { child } };
    for (const disable_rollback of [false, true]) {
      const path = await createStack(world, "app", { adopt_stack_data: data, disable_rollback });
      await world.settle();
      if (disable_rollback) {
        expect(await state(path)).toBe("ADOPT_FAILED");
        const failing = {
          type: "OS::Heat::TestResource",
          properties: { fail: true, wait_secs: 9 },
        };
        const template = templateOf({ ...sectionOf(nested("2"), "resources"), more: failing });
        await world.send("PUT", path, { template, disable_rollback: false });
        await world.settle();
      }
      expect(await state(path)).toBe("ROLLBACK_COMPLETE");
      expect(await objects()).toEqual(before);
      await world.send("DELETE", path);
      await world.settle();
      expect(await objects()).toEqual(before);
    }
  });
});
