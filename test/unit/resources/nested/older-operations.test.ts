import { describe, expect, it } from "vitest";
import { mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pollOlderOperations } from "#lib/resources/nested/older-operations.ts";
import { createStack, openWorld } from "#test/unit/api/api-world.ts";

const MEMBERS = 30;
const NAMES = Array.from({ length: MEMBERS }, (_, at) => `member-${at}`);

const stackOf = (min_wait: number) => ({
  template: {
    heat_template_version: "2021-04-16",
    resources: mapOf(
      NAMES.map((name) => [name, { type: "OS::Heat::Delay", properties: { min_wait } }] as const),
    ),
  },
});

const overtaken = async () => {
  const world = openWorld();
  const path = await createStack(world, "app", stackOf(60));
  // One message prepares the traversal, and each resource has a message.
  for (let steps = 0; steps <= MEMBERS; steps += 1) await world.step();
  await world.send("PUT", path, stackOf(61));
  const [stack] = world.store.dump().stacks;
  return { world, stack: { tenant: "demo", stackId: stack?.id ?? "" } };
};

const counted = (ports: Ports) => {
  let most = 0;
  let open = 0;
  const writeResource: Ports["store"]["writeResource"] = async (...write) => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 1));
    open -= 1;
    return ports.store.writeResource(...write);
  };
  return { ports: { ...ports, store: { ...ports.store, writeResource } }, most: () => most };
};

describe("operations that an overtaken change has begun", () => {
  it("are polled at once, many at the same time", async () => {
    const { world, stack } = await overtaken();
    const { ports, most } = counted(world.ports);
    const before = world.queue.pending.length;
    expect(await pollOlderOperations(ports, stack)).toBe("some");
    expect(world.queue.pending.length - before).toBe(MEMBERS);
    expect(most()).toBeGreaterThan(MEMBERS / 2);
  });

  it("are none once they have ended", async () => {
    const { world, stack } = await overtaken();
    await world.settle();
    expect(await pollOlderOperations(world.ports, stack)).toBe("none");
  });
});
