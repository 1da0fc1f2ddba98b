import { beforeEach, expect, it } from "vitest";
import { SETTLE_MS_MIN } from "#lib/convergence/limits.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import { RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { BLOB_KEYS_MAX } from "#lib/ports/ports.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { createStack, openWorld, textAt, type World } from "./api-world.ts";

let world: World;
beforeEach(() => {
  world = openWorld();
});

const templateOf = (value: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { one: { type: "OS::Heat::TestResource", properties: { value } } },
});
const templates = (): number =>
  world.blobs.keys().filter((key) => key.startsWith("template/")).length;

const update = async (path: string, value: string): Promise<void> => {
  const { status } = await world.send("PUT", path, { template: templateOf(value) });
  expect(status).toBe(202);
};
const aStackAfter = async (updates: number): Promise<string> => {
  const path = await createStack(world, "app", { template: templateOf("0") });
  await world.settle();
  for (let count = 1; count <= updates; count++) {
    await update(path, String(count));
    await world.settle();
  }
  world.clock.advance(SETTLE_MS_MIN + 1);
  return path;
};
const stateOf = async (path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

it("P16: a hundred updates leave one template, and the stack goes on with it", async () => {
  const path = await aStackAfter(100);
  expect(templates()).toBe(101);
  await sweepAndRecord(world.ports);
  expect(templates()).toBe(1);
  expect((await world.store.listUnsettledStacks(null, 1)).stacks).toEqual([]);
  expect((await world.send("GET", `${path}/template`)).body).toEqual(templateOf("100"));
  expect((await world.send("PATCH", path, { tags: "later" })).status).toBe(202);
  await world.settle();
  expect(await stateOf(path)).toBe("UPDATE_COMPLETE");
});

it("P16: nothing can read a template that is gone, not even from a cache", async () => {
  await aStackAfter(0);
  const [stack] = world.store.dump().stacks;
  const former = () => loadTemplate(world.ports, "demo", stack?.id ?? "", stack?.templateId ?? "");
  await update(`/stacks/app/${stack?.id}`, "1");
  await world.settle();
  expect((await former()).id).toBe(stack?.templateId);
  world.clock.advance(SETTLE_MS_MIN + 1);
  await sweepAndRecord(world.ports);
  await expect(former()).rejects.toThrow("is missing");
});

it("a visit that comes late finds the templates of a deleted stack gone, and is tried again", async () => {
  await aStackAfter(0);
  const [stack] = world.store.dump().stacks;
  const former = () => loadTemplate(world.ports, "demo", stack?.id ?? "", stack?.templateId ?? "");
  expect((await world.send("DELETE", `/stacks/app/${stack?.id}`)).status).toBe(204);
  await world.settle();
  await sweepAndRecord(world.ports);
  await expect(former()).rejects.toThrow(RetryLater);
});

it("P16: more templates than a page of the list go in several rounds", async () => {
  await aStackAfter(1);
  const [stack] = world.store.dump().stacks;
  for (let count = 0; count < BLOB_KEYS_MAX + 5; count++) {
    await world.blobs.put(`template/${stack?.id}/${count}`, "of a former version");
  }
  for (let round = 0; round < 3; round++) await sweepAndRecord(world.ports);
  expect(templates()).toBe(1);
  expect((await world.store.listUnsettledStacks(null, 1)).stacks).toEqual([]);
});

it.each(["update", "restore"])(
  "P16, S26: the target of an %s that the sweeper's fence has delayed is stored",
  async (verb) => {
    const path = await aStackAfter(1);
    const taken = await world.send("POST", `${path}/snapshots`, { name: "former" });
    await world.settle();
    world.clock.advance(SETTLE_MS_MIN + 1);
    await world.blobs.put(`template/${world.store.dump().stacks[0]?.id}/unnamed`, "superseded");
    const { writeStack } = world.store;
    world.store.writeStack = async (...write) => {
      world.store.writeStack = writeStack;
      await sweepAndRecord(world.ports);
      return writeStack(...write);
    };
    if (verb === "update") await update(path, "2");
    else {
      const snapshot = textAt(taken.body, "id");
      const { status } = await world.send("POST", `${path}/snapshots/${snapshot}/restore`);
      expect(status).toBe(202);
    }
    const [stack] = world.store.dump().stacks;
    expect(world.blobs.has(`template/${stack?.id}/${stack?.templateId}`)).toBe(true);
    await world.settle();
    expect(await stateOf(path)).toBe(`${verb.toUpperCase()}_COMPLETE`);
  },
);
