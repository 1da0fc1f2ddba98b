/** The barriers between a group's batches are internal: no answer shows their names or type. */
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { openGroup } from "./group-world.ts";

const BATCHED = { max_batch_size: 1, pause_time: 5 };
const INNER = /batch_\d+_done|Hearth::Barrier/;

const group = (type: string, count: number, value: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    group:
      type === "OS::Heat::ResourceGroup"
        ? {
            type,
            update_policy: { batch_create: BATCHED, rolling_update: BATCHED },
            properties: { count, resource_def: member(value) },
          }
        : {
            type,
            properties: {
              min_size: 1,
              max_size: 9,
              desired_capacity: count,
              rolling_updates: { min_in_service: 0, ...BATCHED },
              resource: member(value),
            },
          },
  },
});

const member = (value: string): JsonObject => ({
  type: "OS::Heat::TestResource",
  properties: { value, wait_secs: 10 },
});

const readAll = async (world: World, path: string): Promise<string> => {
  const { body } = await world.send("GET", `${path}/resources/group`);
  const link = listAt(body, "resource", "links").find((one) => at(one, "rel") === "nested");
  const nested = textAt(link ?? null, "href");
  const texts: string[] = [];
  for (const url of [
    `${path}/events?nested_depth=5`,
    `${path}/resources?nested_depth=5&with_detail=true`,
    `${path}/export`,
    `${path}/diagnosis`,
    `${path}/snapshots`,
    nested,
    ...["events", "resources", "template", "environment", "files", "outputs", "export"].map(
      (part) => `${nested}/${part}`,
    ),
  ]) {
    const { status, body } = await world.send("GET", url);
    expect([200, 404]).toContain(status);
    texts.push(`${url} ${JSON.stringify(body)}`);
  }
  return texts.join("\n");
};

const previewOf = async (world: World, path: string, template: JsonObject): Promise<string> =>
  JSON.stringify((await world.send("PUT", `${path}/preview?show_nested=true`, { template })).body);

describe("the barriers between batches", () => {
  it.each(["OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup"])(
    "of %s are in no event, list, document, preview or diagnosis",
    async (type) => {
      const world = openWorld();
      const path = await createStack(world, "app", { template: group(type, 3, "a") });
      await world.settle();
      await world.send("PUT", path, { template: group(type, 3, "b") });
      for (let steps = 0; steps < 12; steps += 1) await world.step();
      expect(at((await world.send("GET", path)).body, "stack", "stack_status")).toBe(
        "UPDATE_IN_PROGRESS",
      );
      const rows = world.store.dump().rows.map((row) => row.type);
      expect(rows).toContain("Hearth::Barrier");
      expect(await readAll(world, path)).not.toMatch(INNER);
      expect(await previewOf(world, path, group(type, 4, "c"))).not.toMatch(INNER);
      await world.settle();
      expect(await readAll(world, path)).not.toMatch(INNER);
      const { body } = await world.send("POST", `${path}/snapshots`, { name: "now" });
      await world.settle();
      const snapshot = await world.send("GET", `${path}/snapshots/${textAt(body, "id")}`);
      expect(JSON.stringify(snapshot.body)).not.toMatch(INNER);
      const abandoned = await world.send("DELETE", `${path}/abandon`);
      expect(JSON.stringify(abandoned.body)).not.toMatch(INNER);
      await world.settle();
      const adopted = await createStack(world, "again", { adopt_stack_data: abandoned.body });
      await world.settle();
      expect(at((await world.send("GET", adopted)).body, "stack", "stack_status")).toBe(
        "ADOPT_COMPLETE",
      );
      expect(world.unexpected).toEqual([]);
    },
  );

  it("of a group of deployments are not, either", async () => {
    const policy = { batch_create: {}, rolling_update: {} };
    const deployments = await openGroup({ members: ["a", "b", "c"], policy });
    expect(await deployments.running()).toEqual(["a"]);
    const { world, path } = deployments;
    expect(await readAll(world, path)).not.toMatch(INNER);
    await deployments.end("a");
    expect(world.store.dump().rows.map((row) => row.type)).toContain("Hearth::Barrier");
    expect(await readAll(world, path)).not.toMatch(INNER);
    await deployments.roll();
    const read = await readAll(world, path);
    expect(read).not.toMatch(INNER);
    expect(read).not.toContain("depends_on");
  });
});

const causesOf = async (world: World, path: string): Promise<JsonObject> => {
  const { body } = await world.send("GET", `${path}/diagnosis`);
  return Object.fromEntries(
    listAt(body, "diagnosis", "resources").map((one) => {
      const cause = isJsonObject(one) ? (one["cause"] ?? null) : null;
      return [textAt(one, "resource_name"), textAt(cause, "summary")];
    }),
  );
};

describe("the diagnosis of a member whose batch has not begun", () => {
  const created = async () => {
    const world = openWorld();
    const template = group("OS::Heat::ResourceGroup", 4, "a");
    const path = await createStack(world, "app", { template });
    return { world, path };
  };

  it("says whose turn it is, and which batch is its own", async () => {
    const { world, path } = await created();
    for (let steps = 0; steps < 5; steps += 1) await world.step();
    const causes = await causesOf(world, path);
    expect(causes["0"]).toContain("its provider has not finished");
    for (const [name, batch] of [
      ["1", 2],
      ["2", 3],
      ["3", 4],
    ]) {
      expect(causes[String(name)]).toBe(
        `it waits for its turn in batch ${batch} of 4: now it is the turn of batch 1, with 0`,
      );
    }
  });

  it("says how long the pause between two batches lasts", async () => {
    const { world, path } = await created();
    const isPausing = () =>
      world.store
        .dump()
        .rows.some(({ type, operation }) => type === "Hearth::Barrier" && operation?.handle);
    for (let steps = 0; steps < 40 && !isPausing(); steps += 1) await world.step();
    const causes = await causesOf(world, path);
    expect(causes["1"]).toBe(
      "it waits for its turn in batch 2 of 4: the pause before batch 2 ends in 5 s",
    );
    expect(causes["3"]).toBe(
      "it waits for its turn in batch 4 of 4: the pause before batch 2 ends in 5 s",
    );
    await world.settle();
    expect(await causesOf(world, path)).toEqual({});
  });
});
