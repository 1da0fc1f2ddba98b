import { beforeEach, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const resource = (properties: JsonObject, ...dependsOn: readonly string[]): JsonObject => ({
  type: "OS::Heat::TestResource",
  depends_on: [...dependsOn],
  properties,
});
const SLOW = { wait_secs: 3_600 };
const template = (resources: JsonObject): JsonObject => ({
  template: { heat_template_version: "2016-10-14", resources },
});
const CHAIN = { a: resource({}), b: resource({}, "a"), c: resource({}, "b"), apart: resource({}) };

let world: World;
beforeEach(() => {
  world = openWorld();
});

const show = async (path: string): Promise<Json> =>
  (await world.send("GET", `${path}?with_progress=true`)).body;

const progress = async (path: string): Promise<Json | undefined> =>
  at(await show(path), "stack", "progress");

const STEPS_MAX = 60;

const untilRunning = async (path: string, name: string): Promise<void> => {
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const { body } = await world.send("GET", `${path}/resources/${name}`);
    if (textAt(body, "resource", "resource_status").endsWith("_IN_PROGRESS")) return;
    await world.step();
  }
  throw new Error(`${name} does not run`);
};

it("counts what a create has made, and its list tells the same if it is asked", async () => {
  const path = await createStack(world, "app", template({ ...CHAIN, b: resource(SLOW, "a") }));
  await untilRunning(path, "b");
  for (let visits = 0; visits < 4; visits += 1) await world.step();
  const expected = { total: 4, done: 2, running: 1, failed: 0 };
  expect(await progress(path)).toEqual(expected);
  const list = `${path.split("/").slice(0, -2).join("/")}?with_progress=true`;
  const [listed] = listAt((await world.send("GET", list)).body, "stacks");
  expect(at(listed ?? null, "progress")).toEqual(expected);
  expect(at((await world.send("GET", path)).body, "stack", "progress")).toBeUndefined();
});

it("counts only what an update visits, also what it leaves as it is", async () => {
  const path = await createStack(world, "app", template(CHAIN));
  await world.settle();
  expect(await progress(path)).toBeUndefined();
  const changed = {
    ...CHAIN,
    a: resource({ value: "2" }),
    c: resource({ value: "2", ...SLOW }, "b"),
  };
  await world.send("PUT", path, template(changed));
  await untilRunning(path, "c");
  expect(await progress(path)).toEqual({ total: 3, done: 2, running: 1, failed: 0 });
});

it("counts what has failed, also when the operation has ended with that", async () => {
  const failing = { a: resource({}), b: resource({ fail: true }, "a"), c: resource({}, "b") };
  const path = await createStack(world, "app", template(failing));
  await world.settle();
  expect(await progress(path)).toEqual({ total: 3, done: 1, running: 0, failed: 1 });
});

it("counts what a delete has removed", async () => {
  const path = await createStack(world, "app", template(CHAIN));
  await world.settle();
  await world.send("DELETE", path);
  const seen: Json[] = [];
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const now = (await progress(path)) ?? null;
    if (now !== null) seen.push(now);
    await world.step();
  }
  expect(new Set(seen.map((one) => at(one, "total")))).toEqual(new Set([4]));
  const counts = seen.map((one) => Number(at(one, "done")));
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(counts[0]).toBe(0);
  expect(counts.at(-1)).toBeGreaterThanOrEqual(3);
});
