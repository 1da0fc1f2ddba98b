import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { at, createStack, listAt, openWorld } from "#test/unit/api/api-world.ts";

const LOADING_MS = 2;

type Files = Map<string, string>;

const fileType = (files: Files): ResourceType => ({
  type: "My::File",
  schema: {
    description: "A file.",
    properties: {
      text: { type: "string", description: "The content.", required: true, updateAllowed: true },
    },
    attributes: { size: { description: "The length of the content." } },
  },
  lifecycle: {
    tokenPolicy: { tokens: "kept" },
    callMsMax: 1_000,
    operationMsMax: 60_000,
    handleCreate: async (call, { ids }) => {
      const id = ids.derive(call.token);
      const text = String(call.properties["text"]);
      files.set(id, text);
      return { state: "finished", physicalResourceId: id, attributes: { size: text.length } };
    },
    handleUpdate: async ({ physicalResourceId, properties }) => {
      const text = String(properties["text"]);
      files.set(physicalResourceId ?? "", text);
      return { state: "finished", attributes: { size: text.length } };
    },
    handleDelete: async ({ physicalResourceId }) => {
      files.delete(physicalResourceId ?? "");
      return { state: "finished", physicalResourceId: null };
    },
  },
});

const loadingSlowly =
  (type: ResourceType) =>
  (types: ResourceTypes): ResourceTypes => ({
    get: async (name) => {
      await pause(LOADING_MS);
      return name === type.type ? type : types.get(name);
    },
    names: () => [...types.names(), type.type],
  });

const open = () => {
  const files: Files = new Map();
  return { files, world: openWorld(loadingSlowly(fileType(files))) };
};

const templateOf = (text: string) => ({
  heat_template_version: "2016-10-14",
  resources: { file: { type: "My::File", properties: { text } } },
  outputs: { size: { value: { get_attr: ["file", "size"] } } },
});

describe("a type that has to load", () => {
  it("is created, read, updated and deleted like any other", async () => {
    const { files, world } = open();
    const path = await createStack(world, "app", { template: templateOf("one") });
    await world.settle();
    expect([...files.values()]).toEqual(["one"]);
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "stack_status")).toBe("CREATE_COMPLETE");
    expect(at(body, "stack", "outputs", 0, "output_value")).toBe(3);

    await world.send("PUT", path, { template: templateOf("three") });
    await world.settle();
    expect([...files.values()]).toEqual(["three"]);

    await world.send("DELETE", path);
    await world.settle();
    expect(files.size).toBe(0);
  });

  it("is found in a nested template, and its schema is checked there", async () => {
    const { files, world } = open();
    const nested = (template: object) => ({
      heat_template_version: "2016-10-14",
      resources: {
        below: { type: "OS::Heat::Stack", properties: { template: JSON.stringify(template) } },
      },
    });
    const wrong = {
      ...templateOf("x"),
      resources: { file: { type: "My::File", properties: { no: 1 } } },
    };
    const refused = await world.send("POST", "/stacks", {
      stack_name: "a",
      template: nested(wrong),
    });
    expect(refused.status).toBe(400);

    await createStack(world, "app", { template: nested(templateOf("below")) });
    await world.settle();
    expect([...files.values()]).toEqual(["below"]);
  });

  it("is in the catalogue and in previews", async () => {
    const { world } = open();
    const { body } = await world.send("GET", "/resource_types?with_description=true");
    expect(listAt(body, "resource_types")).toContainEqual({
      resource_type: "My::File",
      description: "A file.",
    });
    const preview = await world.send("POST", "/stacks/preview", {
      stack_name: "app",
      template: templateOf("one"),
    });
    expect(preview.status).toBe(200);
    const unknown = await world.send("POST", "/validate", {
      template: {
        heat_template_version: "2016-10-14",
        resources: { file: { type: "My::Folder" } },
      },
    });
    expect(unknown.status).toBe(400);
  });
});
