import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld } from "./api-world.ts";

const template = (properties: JsonObject): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: { thing: { type: "OS::Heat::TestResource", properties } },
});

const openReplaced = async () => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: template({ value: "1" }) });
  await world.settle();
  const list = async (query = ""): Promise<readonly Json[]> =>
    listAt((await world.send("GET", `${path}/resources${query}`)).body, "resources");
  const wanted = template({ value: "2", update_replace: true, fail: true });
  return { world, list, update: () => world.send("PUT", path, { template: wanted }) };
};

describe("the rows of a resource", () => {
  it("are one that stands, as long as nothing replaces it", async () => {
    const { list } = await openReplaced();
    const [thing] = await list("?with_rows=true");
    expect(at(thing, "rows")).toMatchObject([
      { status: "CREATE_COMPLETE", stands: true, replaces: null, replaced_by: null },
    ]);
    expect(at((await list())[0], "rows")).toBeUndefined();
    expect(at((await list("?limit=5"))[0], "rows")).toBeUndefined();
  });

  it("are the old one and the replacement that failed", async () => {
    const { world, list, update } = await openReplaced();
    expect((await update()).status).toBe(202);
    await world.settle();
    const [thing] = await list("?with_rows=true&limit=5");
    const rows = listAt(thing ?? null, "rows");
    const [old, failed] = ["CREATE_COMPLETE", "CREATE_FAILED"].map((status) =>
      rows.find((row) => at(row, "status") === status),
    );
    expect(rows.length).toBe(2);
    expect(at(old, "replaced_by")).toBe(at(failed, "id"));
    expect(at(failed, "replaces")).toBe(at(old, "id"));
    expect(rows.filter((row) => at(row, "stands") === true).length).toBe(1);
  });
});
