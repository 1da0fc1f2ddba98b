import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const thing = (properties: JsonObject): JsonObject => ({
  type: "OS::Heat::TestResource",
  properties,
});
const template = (resources: JsonObject): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: { secret: { type: "string", hidden: true, default: "hush" } },
  resources,
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const changesOf = async (path: string, resources: JsonObject, method = "PUT") => {
  const { status, body } = await world.send(method, `${path}/preview`, {
    template: template(resources),
  });
  expect(status).toBe(200);
  const names = (change: string) =>
    listAt(body, "resource_changes", change).map((one) => textAt(one, "resource_name"));
  return {
    unchanged: names("unchanged"),
    updated: names("updated"),
    replaced: names("replaced"),
    added: names("added"),
    deleted: names("deleted"),
  };
};

describe("previewing an update", () => {
  it("shows what the update then does to every resource, and changes nothing", async () => {
    const before = {
      same: thing({ value: "1" }),
      other: thing({ value: "1" }),
      fresh: thing({ value: "1", update_replace_value: "1" }),
      follows: thing({ value: { get_resource: "fresh" } }),
      reads: thing({ value: { get_attr: ["other", "output"] } }),
      old: thing({ value: "1" }),
    };
    const { old: _, ...rest } = before;
    const after = {
      ...rest,
      other: thing({ value: "2" }),
      fresh: thing({ value: "1", update_replace_value: "2" }),
      brandNew: thing({ value: { get_resource: "same" } }),
    };
    const path = await createStack(world, "app", { template: template(before) });
    await world.settle();
    const stored = await world.store.listResources(path.split("/").at(-1) ?? "");
    expect(await changesOf(path, after)).toEqual({
      unchanged: ["same"],
      updated: ["other", "follows", "reads"],
      replaced: ["fresh"],
      added: ["brandNew"],
      deleted: ["old"],
    });
    expect(await world.store.listResources(path.split("/").at(-1) ?? "")).toEqual(stored);
    expect(world.queue.pending).toEqual([]);

    await world.send("PUT", path, { template: template(after) });
    await world.settle();
    expect(await changesOf(path, after, "PATCH")).toMatchObject({ updated: [], replaced: [] });
  });

  it("shows the identity of each resource", async () => {
    const path = await createStack(world, "app", { template: template({ a: thing({}) }) });
    await world.settle();
    const { body } = await world.send("PUT", `${path}/preview`, { template: template({}) });
    expect(at(body, "resource_changes", "deleted", 0)).toMatchObject({
      resource_type: "OS::Heat::TestResource",
      resource_identity: { stack_name: "app", tenant: "demo", path: "/resources/a" },
    });
  });

  it("refuses what the update refuses", async () => {
    const path = await createStack(world, "app", { template: template({ a: thing({}) }) });
    const answer = await world.send("PUT", `${path}/preview`, {
      template: template({ a: thing({ never: 1 }) }),
    });
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, "error", "message")).toContain("Unknown Property never");
  });
});

describe("previewing a create", () => {
  it("shows the stack with its resources and their known properties", async () => {
    const answer = await world.send("POST", "/stacks/preview", {
      stack_name: "app",
      template: template({
        a: thing({ value: { get_param: "OS::stack_name" } }),
        b: thing({ value: { get_resource: "a" } }),
        c: thing({ value: { get_param: "secret" } }),
      }),
    });
    expect(answer.status).toBe(200);
    expect(at(answer.body, "stack")).toMatchObject({
      stack_name: "app",
      parameters: { secret: "******", "OS::stack_name": "app" },
      resources: [
        { resource_name: "a", required_by: ["b"], properties: { value: "app" } },
        { resource_name: "b", required_by: [], properties: { value: null } },
        { resource_name: "c", properties: { value: null } },
      ],
    });
    expect(JSON.stringify(answer.body)).not.toContain("hush");
    expect((await world.send("GET", "/stacks")).body).toEqual({ stacks: [] });
  });
});
