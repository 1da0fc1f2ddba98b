import { describe, expect, it } from "vitest";
import { changedAt, valueAt } from "#lib/authoring/document-path.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const TEMPLATE: JsonObject = {
  heat_template_version: "2021-04-16",
  resources: {
    asg: {
      type: "OS::Heat::AutoScalingGroup",
      properties: {
        min_size: 1,
        max_size: 5,
        desired_capacity: 2,
        resource: { type: "OS::Heat::RandomString" },
      },
    },
    up: {
      type: "OS::Heat::ScalingPolicy",
      properties: {
        auto_scaling_group_id: { get_resource: "asg" },
        adjustment_type: "change_in_capacity",
        scaling_adjustment: 1,
      },
    },
  },
  outputs: { size: { value: { get_attr: ["asg", "current_size"] } } },
};

const open = async () => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: TEMPLATE });
  await world.settle();
  const signal = async (details?: Json): Promise<number> => {
    const { status } = await world.send("POST", `${path}/resources/up/signal`, details);
    await world.settle();
    return status;
  };
  return { world, path, signal };
};

const sizeOf = async (world: World, path: string): Promise<Json | undefined> =>
  at((await world.send("GET", path)).body, "stack", "outputs", 0, "output_value");

const nestedIn = ({ store }: World): string => {
  const { name = "", id = "" } = store.dump().stacks.find(({ owner }) => owner !== null) ?? {};
  return `/stacks/${name}/${id}`;
};

describe("a signal to a scaling policy", () => {
  it("has no effect while a user has suspended the members", async () => {
    const { world, path, signal } = await open();
    await world.send("POST", `${nestedIn(world)}/actions`, { suspend: null });
    await world.settle();
    expect(await signal()).toBe(200);
    expect(await sizeOf(world, path)).toBe(2);
    await world.send("POST", `${nestedIn(world)}/actions`, { resume: null });
    await world.settle();
    await signal();
    expect(await sizeOf(world, path)).toBe(3);
  });

  it("has no effect once a user has deleted the members", async () => {
    const { world, signal } = await open();
    const nested = nestedIn(world);
    await world.send("DELETE", nested);
    await world.settle();
    expect(await signal()).toBe(200);
    expect(world.store.dump().stacks.find(({ owner }) => owner !== null)?.action).toBe("DELETE");
    expect(world.unexpected).toEqual([]);
  });

  it("has an event with the beginning of a long text", async () => {
    const { world, path, signal } = await open();
    expect(await signal({ state: "x".repeat(5_000) })).toBe(200);
    const { body } = await world.send("GET", `${path}/resources/up/events`);
    const events = at(body, "events");
    const reason = (Array.isArray(events) ? events : [])
      .map((event) => textAt(event, "resource_status_reason"))
      .find((text) => text.startsWith("Signal"));
    expect(reason).toMatch(/^Signal: alarm state changed to x+, size \d to \d$/);
    expect(reason).toHaveLength(1_000);
  });
});

describe("adopting a scaling group", () => {
  it("takes over only members that have an object", async () => {
    const { world, path } = await open();
    const { body } = await world.send("DELETE", `${path}/abandon`);
    await world.settle();
    const members = ["resources", "asg", "resources"];
    const names = Object.keys(valueAt(body, members) ?? {});
    const data = changedAt(
      isJsonObject(body) ? body : {},
      [...members, names[0] ?? "", "resource_id"],
      null,
    );
    const adopted = await createStack(world, "again", { adopt_stack_data: data });
    await world.settle();
    const shown = (await world.send("GET", adopted)).body;
    expect(textAt(shown, "stack", "stack_status")).toBe("ADOPT_COMPLETE");
    expect(await sizeOf(world, adopted)).toBe(1);
  });
});
