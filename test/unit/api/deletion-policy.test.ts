import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const template = (type: string, deletion_policy: string, value = "1"): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { thing: { type, deletion_policy, properties: { value } } },
});
const empty: JsonObject = { heat_template_version: "2016-10-14" };
const SCENARIO = "Hearth::Test::Scenario";

let world: World;
beforeEach(() => {
  world = openWorld();
});

const state = async (path: string) =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");
const objects = async () =>
  (await world.fakeProvider.list()).map(({ type, properties }) => [type, properties["value"]]);

describe("the deletion policy", () => {
  it.each(["Retain", "retain"])(
    "%s leaves the object when the resource is removed",
    async (policy) => {
      const path = await createStack(world, "app", { template: template(SCENARIO, policy) });
      await world.settle();
      await world.send("PUT", path, { template: empty });
      await world.settle();
      expect(await state(path)).toBe("UPDATE_COMPLETE");
      expect(at((await world.send("GET", `${path}/resources`)).body, "resources")).toEqual([]);
      expect(await objects()).toEqual([[SCENARIO, "1"]]);
    },
  );

  it.each(["Delete", "delete"])("%s removes the object with the stack", async (policy) => {
    const path = await createStack(world, "app", { template: template(SCENARIO, policy) });
    await world.settle();
    await world.send("DELETE", path);
    await world.settle();
    expect(await objects()).toEqual([]);
  });

  it.each(["Snapshot", "snapshot"])(
    "%s keeps a snapshot where the type makes one",
    async (policy) => {
      const path = await createStack(world, "app", { template: template(SCENARIO, policy) });
      await world.settle();
      await world.send("DELETE", path);
      await world.settle();
      expect(await state(path)).toBe("DELETE_COMPLETE");
      expect(await objects()).toEqual([[`${SCENARIO}::Snapshot`, "1"]]);
    },
  );

  it("Snapshot is refused with Heat's text if the type has none", async () => {
    const answer = await world.send("POST", "/stacks", {
      stack_name: "app",
      template: template("OS::Heat::TestResource", "Snapshot"),
    });
    expect(answer.status).toBe(400);
    expect(at(answer.body, "error", "message")).toBe(
      'resources.thing.deletion_policy: "Snapshot" deletion policy not supported',
    );
  });
});
