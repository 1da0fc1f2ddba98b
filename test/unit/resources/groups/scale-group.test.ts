import { expect, it } from "vitest";
import { type Json, mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { scaleGroup } from "#lib/resources/groups/scale-group.ts";
import { createStack, openWorld } from "#test/unit/api/api-world.ts";

const MANY = 30;
const OPENED_MAX = 10;
const STRING = { type: "OS::Heat::RandomString" };

const TEMPLATE = {
  heat_template_version: "2021-04-16",
  resources: mapOf<Json>([
    ...Array.from({ length: MANY }, (_, at) => [`other-${at}`, STRING] as const),
    [
      "asg",
      {
        type: "OS::Heat::AutoScalingGroup",
        properties: { min_size: MANY, max_size: MANY + 1, resource: STRING },
      },
    ],
  ]),
};

const counted = (ports: Ports) => {
  let opened = 0;
  const listed: string[] = [];
  const store: Ports["store"] = {
    ...ports.store,
    listResources: (stackId) => {
      listed.push(stackId);
      return ports.store.listResources(stackId);
    },
  };
  const open: Ports["cipher"]["open"] = (...sealed) => {
    opened += 1;
    return ports.cipher.open(...sealed);
  };
  const cipher = { ...ports.cipher, open };
  return { ports: { ...ports, store, cipher }, opened: () => opened, listed };
};

it("A scaling opens neither the members nor the other resources of the stack, and lists only members", async () => {
  const world = openWorld();
  await createStack(world, "app", { template: TEMPLATE });
  await world.settle();
  const { stacks } = world.store.dump();
  const above = stacks.find(({ owner }) => owner === null);
  const groupName = stacks.find(({ owner }) => owner !== null)?.name ?? "";
  const [row] = await world.store.listResources(above?.id ?? "");
  if (row === undefined) throw new Error("the stack has no resources");
  const { ports, opened, listed } = counted(world.ports);
  const adjustment = { type: "change_in_capacity", adjustment: 1, minStep: null } as const;
  const bounds = { minimum: MANY, maximum: MANY + 1 };
  const scaling = { groupName, adjustment, cooldownSeconds: null };
  const scaled = await scaleGroup(ports, row, scaling, () => ({ bounds, cooldownSeconds: 0 }));
  expect(scaled).toEqual({ from: MANY, to: MANY + 1 });
  expect(opened()).toBeLessThan(OPENED_MAX);
  expect(listed).not.toContain(row.stackId);
});
