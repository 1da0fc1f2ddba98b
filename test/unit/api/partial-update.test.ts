import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { createStack, openWorld, type World } from "./api-world.ts";

const template = (...values: readonly string[]): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    values.map((value, at) => [
      `r${at}`,
      { type: "OS::Heat::TestResource", properties: { value } },
    ]),
  ),
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const rowsOf = async (path: string) => {
  const rows = await world.store.listResources(path.split("/").at(-1) ?? "");
  return new Map(rows.map((row) => [row.name, row]));
};

const updated = async (path: string, target: JsonObject, query = "", method = "PUT") => {
  const before = await rowsOf(path);
  const answer = await world.send(method, `${path}${query}`, { template: target });
  expect(answer.status).toBe(202);
  await world.settle();
  const after = await rowsOf(path);
  return [...after.keys()].filter((name) => after.get(name)?.version !== before.get(name)?.version);
};

describe("P24: updating one resource of several", () => {
  it("writes that one, and with full=true every one", async () => {
    const path = await createStack(world, "app", { template: template("1", "1", "1") });
    await world.settle();
    expect(await updated(path, template("1", "2", "1"))).toEqual(["r1"]);
    expect(await updated(path, template("1", "2", "1"))).toEqual([]);
    expect(await updated(path, template("1", "2", "1"), "?full=true")).toEqual(["r0", "r1", "r2"]);
    expect(await updated(path, template("1", "2", "3"), "?full=false", "PATCH")).toEqual(["r2"]);
  });

  it("is refused with another word than true or false", async () => {
    const path = await createStack(world, "app", { template: template("1") });
    await world.settle();
    const { status } = await world.send("PUT", `${path}?full=x`, { template: template("2") });
    expect(status).toBe(400);
  });

  it("goes down: a nested stack visits everything too", async () => {
    const nested = (value: string): JsonObject => ({
      heat_template_version: "2016-10-14",
      resources: {
        below: {
          type: "OS::Heat::Stack",
          properties: { template: JSON.stringify(template("1", "1")) },
        },
        beside: { type: "OS::Heat::TestResource", properties: { value } },
      },
    });
    const path = await createStack(world, "app", { template: nested("1") });
    await world.settle();
    const child = (await rowsOf(path)).get("below")?.physicalResourceId ?? "";
    const versions = async () =>
      [...(await rowsOf(`/${child}`)).values()].map(({ version }) => version);
    const before = await versions();
    expect(before).toHaveLength(2);
    await updated(path, nested("2"));
    expect(await versions()).toEqual(before);
    await updated(path, nested("3"), "?full=true");
    expect(await versions()).toEqual(before.map((version) => version + 1));
  });
});
