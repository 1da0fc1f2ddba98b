import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const template = (description: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  ...(description === "" ? {} : { description }),
  parameters: { fail: { type: "boolean", default: false } },
  resources: {
    a: {
      type: "OS::Heat::TestResource",
      properties: { value: "x", fail: { get_param: "fail" } },
    },
  },
});

let world: World;
let path: string;
beforeEach(async () => {
  world = openWorld();
  path = await createStack(world, "app", { template: template(""), tags: "blue,first" });
  await world.settle();
});

const shown = async () => {
  const stack = at((await world.send("GET", path)).body, "stack") ?? null;
  return {
    status: at(stack, "stack_status"),
    tags: at(stack, "tags"),
    description: at(stack, "description"),
  };
};
const listedBy = async (tag: string) =>
  at((await world.send("GET", `/stacks?tags=${tag}`)).body, "stacks", 0, "stack_name");

const failingUpdate = { tags: "green", parameters: { fail: true }, disable_rollback: false };
const FIRST = { tags: ["blue", "first"], description: "No description" };

describe("the tags of a stack belong to its target", () => {
  it("so a rollback brings back those of the last good one, and its description", async () => {
    await world.send("PUT", path, { template: template("green"), ...failingUpdate });
    expect(await shown()).toMatchObject({ tags: ["green"], description: "green" });
    await world.settle();
    expect(await shown()).toEqual({ status: "ROLLBACK_COMPLETE", ...FIRST });
    expect([await listedBy("green"), await listedBy("blue")]).toEqual([undefined, "app"]);
    await world.send("PATCH", path, { parameters: { fail: false } });
    await world.settle();
    expect(await shown()).toEqual({ status: "UPDATE_COMPLETE", ...FIRST });
  });

  it("so a user's rollback does, also of an update that changes only the tags", async () => {
    await world.send("PUT", path, { template: template("green"), tags: "green" });
    await world.send("POST", `${path}/actions`, { cancel_update: null });
    expect((await shown()).tags).toEqual(FIRST.tags);
    await world.settle();
    expect(await shown()).toEqual({ status: "ROLLBACK_COMPLETE", ...FIRST });
    await world.send("PATCH", path, { tags: "red" });
    await world.settle();
    await world.send("PUT", path, { template: template(""), ...failingUpdate });
    await world.settle();
    expect(await shown()).toMatchObject({ status: "ROLLBACK_COMPLETE", tags: ["red"] });
  });

  it("so a failed create keeps its own, and an update that stays FAILED its newer ones", async () => {
    const failing = { template: template(""), ...failingUpdate };
    const other = await createStack(world, "other", failing);
    await world.settle();
    expect(at((await world.send("GET", other)).body, "stack")).toMatchObject({
      stack_status: "ROLLBACK_COMPLETE",
      tags: ["green"],
    });
    await world.send("PUT", path, { ...failing, disable_rollback: true });
    await world.settle();
    expect(await shown()).toMatchObject({ status: "UPDATE_FAILED", tags: ["green"] });
  });

  it("so a restored snapshot brings back those that it was taken with", async () => {
    const taken = await world.send("POST", `${path}/snapshots`, { name: "before" });
    await world.settle();
    await world.send("PUT", path, { template: template("green"), tags: "green" });
    await world.settle();
    await world.send("POST", `${path}/snapshots/${textAt(taken.body, "id")}/restore`);
    await world.settle();
    expect(await shown()).toEqual({ status: "RESTORE_COMPLETE", ...FIRST });
  });

  it("so an adopted document brings its own, unless the request names others", async () => {
    const { body } = await world.send("GET", `${path}/export`);
    for (const [name, given, tags] of [
      ["kept", {}, FIRST.tags],
      ["renamed", { tags: "new" }, ["new"]],
      ["none", { tags: "" }, []],
    ] as const) {
      const adopted = await createStack(world, name, { adopt_stack_data: body, ...given });
      await world.settle();
      expect(at((await world.send("GET", adopted)).body, "stack")).toMatchObject({
        stack_status: "ADOPT_COMPLETE",
        tags,
      });
    }
  });

  it("but a record of a former version does not know the last good ones, and keeps what it has", async () => {
    const [stack] = await world.store.listStacks("demo");
    const former = { lastGoodTags: null, lastGoodDescription: null };
    await world.store.writeStack("demo", stack?.id ?? "", [], former);
    await world.send("PUT", path, { template: template("green"), ...failingUpdate });
    await world.settle();
    expect(await shown()).toMatchObject({ status: "ROLLBACK_COMPLETE", tags: ["green"] });
  });
});
