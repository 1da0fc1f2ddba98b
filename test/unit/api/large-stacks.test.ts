/** A stack may have 100,000 resources, so no request about one of them may read all rows. */
import { expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { createStack, openWorld, type World } from "./api-world.ts";

const TEMPLATE = (last: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`r${index}`, value(String(index))]),
    ),
    last: value(last),
  },
  outputs: { last: { value: { get_attr: ["last", "value"] } } },
});

const value = (text: string): JsonObject => ({
  type: "OS::Heat::Value",
  properties: { value: text },
});

const refuseLists = (world: World): void => {
  world.store.listResources = async () => {
    throw new Error("all rows are read at once");
  };
};

it("a stack lives its whole life without a read of all rows", async () => {
  const world = openWorld();
  refuseLists(world);
  const path = await createStack(world, "large", { template: TEMPLATE("x") });
  await world.settle();
  expect((await world.send("PUT", path, { template: TEMPLATE("y") })).status).toBe(202);
  await world.settle();
  const full = await world.send("PUT", `${path}?full=true`, { template: TEMPLATE("y") });
  expect(full.status).toBe(202);
  await world.settle();
  expect((await world.send("POST", `${path}/actions`, { check: null })).status).toBe(200);
  await world.settle();
  expect((await world.send("GET", path)).body).toMatchObject({
    stack: { stack_status: "CHECK_COMPLETE", outputs: [{ output_value: "y" }] },
  });
  expect((await world.send("DELETE", path)).status).toBe(204);
  await world.settle();
  expect((await world.send("GET", path)).body).toMatchObject({
    stack: { stack_status: "DELETE_COMPLETE" },
  });
});

it("one resource is shown, and marked, without a read of all rows", async () => {
  const world = openWorld();
  const path = await createStack(world, "large", { template: TEMPLATE("x") });
  await world.settle();
  refuseLists(world);
  const resource = `${path}/resources/last`;
  expect((await world.send("GET", resource)).body).toMatchObject({
    resource: { resource_name: "last", attributes: { value: "x" } },
  });
  expect((await world.send("GET", `${resource}/metadata`)).status).toBe(200);
  const mark = { mark_unhealthy: true, resource_status_reason: "broken" };
  expect((await world.send("PATCH", resource, mark)).status).toBe(200);
  expect((await world.send("GET", resource)).body).toMatchObject({
    resource: { resource_status: "CHECK_FAILED" },
  });
  expect((await world.send("GET", `${path}/resources/none`)).status).toBe(404);
});
