import { expect, it } from "vitest";
import { deleteStack } from "#lib/engine/stacks/delete-stack.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { createStack, openWorld } from "./api-world.ts";

const UPDATES = 20;

const template = (value: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { a: { type: "OS::Heat::TestResource", properties: { value } } },
});

it("deletes a stack although an update is accepted before each of its first 20 writes", async () => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: template("0") });
  await world.settle();
  let updates = 0;
  const ports: Ports = {
    ...world.ports,
    store: {
      ...world.ports.store,
      writeStack: async (...write) => {
        if (updates < UPDATES) {
          updates += 1;
          await world.send("PUT", path, { template: template(String(updates)) });
        }
        return world.ports.store.writeStack(...write);
      },
    },
  };
  const id = path.split("/").at(-1) ?? "";
  const deleted = await deleteStack(ports, { tenant: "demo", name: "app", id });
  expect([updates, deleted.action]).toEqual([UPDATES, "DELETE"]);
});
