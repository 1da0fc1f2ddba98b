import { describe, expect, it } from "vitest";
import { at, createStack, listAt, openWorld, type World } from "./api-world.ts";

/** Each section of `web` is wrong for OS::Heat::None, to which the environment maps its type. */
const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: {
    web: {
      type: "My::Group",
      deletion_policy: "snapshot",
      update_policy: { rolling_update: { max_batch_size: 2 } },
      properties: {
        size: { get_param: "no_such" },
        address: { str_replace: { template: 5, params: { a: { get_attr: ["other", "show"] } } } },
      },
    },
    other: { type: "OS::Heat::TestResource" },
  },
  outputs: { address: { value: { get_attr: ["web", "address"] } } },
};
const BODY = {
  template: TEMPLATE,
  environment: { resource_registry: { "My::Group": "OS::Heat::None" } },
};

const stackAt = async (world: World, path: string) =>
  at((await world.send("GET", path)).body, "stack");

describe("a type that the environment maps to OS::Heat::None", () => {
  it("is made and removed whatever its definition says", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", BODY);
    await world.settle();
    const stack = await stackAt(world, path);
    expect(at(stack, "stack_status")).toBe("CREATE_COMPLETE");
    expect(listAt(stack ?? null, "outputs")).toMatchObject([{ output_value: null }]);
    await world.send("DELETE", path);
    await world.settle();
    expect((await world.send("GET", "/stacks")).body).toEqual({ stacks: [] });
  });

  it("stays as it is when an update changes its definition", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", BODY);
    await world.settle();
    const before = await world.send("GET", `${path}/resources/web`);
    const web = { ...TEMPLATE.resources.web, properties: { size: { get_file: "no such" } } };
    const template = { ...TEMPLATE, resources: { ...TEMPLATE.resources, web } };
    await world.send("PUT", path, { ...BODY, template });
    await world.settle();
    expect(at(await stackAt(world, path), "stack_status")).toBe("UPDATE_COMPLETE");
    const after = await world.send("GET", `${path}/resources/web`);
    expect(at(after.body, "resource", "physical_resource_id")).toBe(
      at(before.body, "resource", "physical_resource_id"),
    );
  });

  it("is checked by a mere validation", async () => {
    const { status, body } = await openWorld().send("POST", "/validate", BODY);
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(
      'resources.web.deletion_policy: "Snapshot" deletion policy not supported',
    );
  });
});
