/** Heat's `converge` belongs to one update. Later traversals do not repair drift. */
import { expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Handler } from "#lib/ports/resource-type.ts";
import { createStack, openWorld, type World } from "./api-world.ts";

const DRIFTS = "Test::Drifts";
const CHILD = JSON.stringify({
  heat_template_version: "2018-08-31",
  resources: { inner: { type: DRIFTS, properties: { value: "same" } } },
});
const templateOf = (bad: JsonObject): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    child: { type: "child.yaml" },
    outer: { type: DRIFTS, properties: { value: "same" } },
    bad: { type: "OS::Heat::TestResource", properties: bad, depends_on: ["child", "outer"] },
  },
});
const GOOD = { value: "1" };
const BAD = { value: "2", fail: true };

const openDrifting = (): { readonly world: World; readonly mended: string[] } => {
  const mended: string[] = [];
  const world = openWorld((types) => ({
    ...types,
    get: async (name) => {
      if (name !== DRIFTS) return types.get(name);
      const plain = present(await types.get("OS::Heat::TestResource"), "type");
      const { lifecycle } = plain;
      const handleUpdate: Handler = async (call, context) => {
        mended.push(call.resourceName);
        return present(lifecycle.handleUpdate, "update")(call, context);
      };
      const mends = { ...lifecycle, handleUpdate, updateMendsDrift: true as const };
      return { ...plain, type: DRIFTS, lifecycle: mends };
    },
  }));
  return { world, mended };
};

const request = (bad: JsonObject, more: JsonObject = {}): JsonObject => ({
  template: templateOf(bad),
  files: { "child.yaml": CHILD },
  disable_rollback: false,
  ...more,
});

it.each<[string, (world: World, path: string) => Promise<unknown>]>([
  ["its rollback", async () => null],
  ["a plain update", (world, path) => world.send("PUT", path, request({ value: "3" }))],
  ["a check", (world, path) => world.send("POST", `${path}/actions`, { check: null })],
])("mends once, at every depth, and not in %s", async (_, after) => {
  const { world, mended } = openDrifting();
  const path = await createStack(world, "app", request(GOOD));
  await world.settle();
  const converging = request(BAD, { converge: true });
  expect((await world.send("PUT", path, converging)).status).toBe(202);
  await world.settle();
  await after(world, path);
  await world.settle();
  expect(mended.toSorted()).toEqual(["inner", "outer"]);
});
