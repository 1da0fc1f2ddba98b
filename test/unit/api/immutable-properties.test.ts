import { expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld, textAt } from "./api-world.ts";

const environment: JsonObject = { resource_registry: { "OS::*": "Hearth::Stub::OS::*" } };

const trunk = (port: string): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: { trunk: { type: "OS::Neutron::Trunk", properties: { port } } },
});

it("refuses the change of a property that can never be changed, and keeps the object", async () => {
  const world = openWorld();
  const path = await createStack(world, "first", { template: trunk("one"), environment });
  await world.settle();
  const before = await world.fakeProvider.list();
  await world.send("PUT", path, { template: trunk("two"), environment });
  await world.settle();
  const { body } = await world.send("GET", path);
  expect(textAt(body, "stack", "stack_status")).toBe("UPDATE_FAILED");
  expect(textAt(body, "stack", "stack_status_reason")).toContain(
    "NotSupported: resources.trunk: Update to properties port of trunk (OS::Neutron::Trunk) is not supported.",
  );
  expect(await world.fakeProvider.list()).toEqual(before);
  await world.send("PUT", path, { template: trunk("one"), environment });
  await world.settle();
  expect(at((await world.send("GET", path)).body, "stack", "stack_status")).toBe("UPDATE_COMPLETE");
  expect(await world.fakeProvider.list()).toEqual(before);
});
