import { expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const policy = (adjustment: number): JsonObject => ({
  type: "OS::Heat::ScalingPolicy",
  properties: {
    auto_scaling_group_id: { get_resource: "asg" },
    adjustment_type: "change_in_capacity",
    scaling_adjustment: adjustment,
    cooldown: 0,
  },
});

const TEMPLATE: JsonObject = {
  heat_template_version: "2018-08-31",
  resources: {
    asg: {
      type: "OS::Heat::AutoScalingGroup",
      properties: {
        min_size: 1,
        max_size: 9,
        cooldown: 0,
        desired_capacity: 2,
        resource: { type: "OS::Heat::RandomString" },
      },
    },
    up: policy(1),
    down: policy(-1),
    handle: { type: "OS::Heat::WaitConditionHandle" },
  },
};

const signalsOf = async (world: World, path: string, name: string) =>
  listAt((await world.send("GET", `${path}/resources/${name}/events?sort_dir=asc`)).body, "events")
    .map((one) => textAt(one, "resource_status_reason"))
    .filter((reason) => reason.startsWith("Signal"));

it("as every scaling does, with the sizes before and after", async () => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: TEMPLATE });
  await world.settle();
  const signal = async (name: string, details?: Json): Promise<void> => {
    const { status } = await world.send("POST", `${path}/resources/${name}/signal`, details);
    expect(status).toBe(200);
    await world.settle();
  };
  for (const name of ["up", "down", "up", "up", "down"]) await signal(name);
  await signal("down", { state: "alarm" });
  const none = "No signal details provided";
  expect(await signalsOf(world, path, "up")).toEqual([
    `Signal: ${none}, size 2 to 3`,
    `Signal: ${none}, size 2 to 3`,
    `Signal: ${none}, size 3 to 4`,
  ]);
  expect(await signalsOf(world, path, "down")).toEqual([
    `Signal: ${none}, size 3 to 2`,
    `Signal: ${none}, size 4 to 3`,
    "Signal: alarm state changed to alarm, size 3 to 2",
  ]);
});

it("as every signal to a wait condition does", async () => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: TEMPLATE });
  await world.settle();
  for (const id of ["1", "2", "3"]) {
    const details = { status: "SUCCESS", reason: "ready", id, data: "" };
    await world.send("POST", `${path}/resources/handle/signal`, details);
    await world.settle();
  }
  const reasons = await signalsOf(world, path, "handle");
  expect(reasons).toEqual(Array.from({ length: 3 }, () => "Signal: status:SUCCESS reason:ready"));
});
