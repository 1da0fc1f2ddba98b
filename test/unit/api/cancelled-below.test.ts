import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt } from "./api-world.ts";

const MEMBERS = 4;
/** Shorter than the time between two polls of a nested stack. */
const MEMBER_SECS = 1;

const rolled = (value: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    group: {
      type: "OS::Heat::ResourceGroup",
      update_policy: { rolling_update: { max_batch_size: 1 } },
      properties: {
        count: MEMBERS,
        resource_def: {
          type: "OS::Heat::TestResource",
          properties: { value, wait_secs: MEMBER_SECS },
        },
      },
    },
  },
});

const request = (value: string, depth: number): JsonObject => {
  const files = Object.fromEntries(
    Array.from({ length: depth }, (_, level) => [
      `level-${level}.yaml`,
      JSON.stringify(level === 0 ? rolled(value) : around(level - 1)),
    ]),
  );
  return { template: depth === 0 ? rolled(value) : around(depth - 1), files };
};

const around = (level: number): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: { below: { type: `level-${level}.yaml` } },
});

describe("a cancel without rollback", () => {
  it.each([0, 1, 2])("begins no batch more of a group that is %i stacks below", async (depth) => {
    const world = openWorld();
    const path = await createStack(world, "app", request("old", depth));
    await world.settle();
    const members = async () => {
      const { body } = await world.send("GET", `${path}/resources?nested_depth=5`);
      return listAt(body, "resources").filter(
        (one) => at(one, "resource_type") === "OS::Heat::TestResource",
      );
    };
    const begun = async () =>
      (await members()).filter((one) => textAt(one, "resource_status").startsWith("UPDATE")).length;

    await world.send("PUT", path, request("new", depth));
    while ((await begun()) === 0) expect(await world.step()).toBe(true);
    await world.send("POST", `${path}/actions`, { cancel_without_rollback: null });
    await world.settle();

    expect(await begun()).toBe(1);
    const states = (await members()).map((one) => textAt(one, "resource_status")).sort();
    expect(states).toEqual([
      "CREATE_COMPLETE",
      "CREATE_COMPLETE",
      "CREATE_COMPLETE",
      "UPDATE_COMPLETE",
    ]);
    expect(world.unexpected).toEqual([]);
  });
});
