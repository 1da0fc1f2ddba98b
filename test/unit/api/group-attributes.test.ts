import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld } from "./api-world.ts";

const MEMBER: JsonObject = { type: "OS::Heat::RandomString" };

const GROUPS: readonly (readonly [string, JsonObject])[] = [
  ["OS::Heat::ResourceGroup", { resource_def: MEMBER }],
  ["OS::Heat::AutoScalingGroup", { min_size: 1, max_size: 2, resource: MEMBER }],
  ["OS::Heat::ResourceChain", { resources: [MEMBER["type"] ?? null] }],
];

describe("the attributes of a group", () => {
  it.each(GROUPS)(
    "%s has those of its members, and tells only its own",
    async (type, properties) => {
      const world = openWorld();
      const template = {
        heat_template_version: "2021-04-16",
        resources: { group: { type, properties } },
        outputs: {
          all: { value: { get_attr: ["group", "value"] } },
          one: { value: { get_attr: ["group", "resource.0.value"] } },
        },
      };
      expect((await world.send("POST", "/validate", { template })).status).toBe(200);
      const described = await world.send("GET", `/resource_types/${type}`);
      const attributes = at(described.body, "attributes") ?? null;
      expect(attributes).toHaveProperty("refs");
      expect(attributes).not.toHaveProperty("value");
    },
  );
});

describe("a chain", () => {
  it("has a list of references, from which a path selects", async () => {
    const world = openWorld();
    const type = "OS::Heat::RandomString";
    const template = {
      heat_template_version: "2021-04-16",
      resources: {
        chain: { type: "OS::Heat::ResourceChain", properties: { resources: [type, type] } },
      },
      outputs: {
        all: { value: { get_attr: ["chain", "refs"] } },
        second: { value: { get_attr: ["chain", "refs", 1] } },
      },
    };
    const path = await createStack(world, "app", { template });
    await world.settle();
    const { body } = await world.send("GET", path);
    const refs = at(body, "stack", "outputs", 0, "output_value");
    expect(refs).toHaveLength(2);
    expect(at(body, "stack", "outputs", 1, "output_value")).toBe(at(refs, 1));
  });

  it.each([
    [null, "None"],
    [5, "5"],
  ] as const)("finds no type called %s", async (type, name) => {
    const world = openWorld();
    const template = {
      heat_template_version: "2021-04-16",
      resources: { chain: { type: "OS::Heat::ResourceChain", properties: { resources: [type] } } },
    };
    const { status, body } = await world.send("POST", "/stacks", { stack_name: "app", template });
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(`The Resource Type (${name}) could not be found.`);
    expect(world.unexpected).toEqual([]);
  });
});
