import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

let world: World;
beforeEach(() => {
  world = openWorld();
});

const template = (resources: JsonObject): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources,
});
const random = (properties: JsonObject): JsonObject =>
  template({ r: { type: "OS::Heat::RandomString", properties } });

const preview = async (resources: JsonObject) =>
  await world.send("POST", "/stacks/preview", {
    stack_name: "app",
    template: template(resources),
  });

describe("an update that only exchanges an old name for the new one", () => {
  it("changes nothing", async () => {
    const path = await createStack(world, "app", { template: random({ sequence: "digits" }) });
    await world.settle();
    const stackId = path.split("/").at(-1) ?? "";
    const before = await world.store.listResources(stackId);
    const renamed = random({ character_classes: [{ class: "digits", min: 1 }] });
    const { body } = await world.send("PUT", `${path}/preview`, { template: renamed });
    expect(listAt(body, "resource_changes", "unchanged")).toHaveLength(1);
    await world.send("PUT", path, { template: renamed });
    await world.settle();
    const after = await world.store.listResources(stackId);
    expect(after.map((row) => [row.id, row.action, row.physicalResourceId])).toEqual(
      before.map((row) => [row.id, "CREATE", row.physicalResourceId]),
    );
  });

  it("replaces the resource if the value is another one", async () => {
    const path = await createStack(world, "app", { template: random({ sequence: "digits" }) });
    await world.settle();
    const other = random({ character_classes: [{ class: "letters", min: 1 }] });
    const { body } = await world.send("PUT", `${path}/preview`, { template: other });
    expect(listAt(body, "resource_changes", "replaced")).toHaveLength(1);
  });
});

describe("the preview of a create", () => {
  it("shows new names, and the description of the resource as its object's", async () => {
    const { status, body } = await preview({
      zone: {
        type: "OS::Designate::Zone",
        description: "of the zone",
        properties: { name: "example.org.", type: "SECONDARY", primaries: ["10.0.0.1"] },
      },
    });
    expect(status).toBe(200);
    const [zone] = listAt(body, "stack", "resources");
    expect(at(zone, "properties")).toMatchObject({
      masters: ["10.0.0.1"],
      primaries: null,
      description: "of the zone",
    });
  });

  it("waits for the value of an old name, and refuses both names", async () => {
    const subnet = (properties: JsonObject): JsonObject => ({
      net: { type: "OS::Heat::RandomString" },
      subnet: {
        type: "OS::Neutron::Subnet",
        properties: { cidr: "10.0.0.0/24", ...properties },
      },
    });
    const old = { network_id: { get_resource: "net" } };
    expect((await preview(subnet(old))).status).toBe(200);
    const { status, body } = await preview(subnet({ ...old, network: "other" }));
    expect(status).toBe(400);
    expect(textAt(body, "error", "message")).toBe(
      "Property error: resources.subnet.properties.network: Cannot define the following properties at the same time: network, network_id",
    );
  });
});
