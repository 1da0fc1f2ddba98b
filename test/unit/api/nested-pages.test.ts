import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const MEMBERS = 23;
const PAGE = 4;

const group = (count: number, type: string): JsonObject => ({
  type: "OS::Heat::ResourceGroup",
  properties: { count, resource_def: { type } },
});
const TREE: JsonObject = {
  heat_template_version: "2018-08-31",
  resources: {
    wide: group(MEMBERS, "OS::Heat::RandomString"),
    between: { type: "OS::Heat::Value", properties: { value: "x" } },
    deep: group(3, "member.yaml"),
  },
};
const FILES: JsonObject = {
  "member.yaml": `
heat_template_version: 2018-08-31
resources:
  one: { type: OS::Heat::RandomString }
  two: { type: OS::Heat::RandomString }
`,
};

const openTree = async (): Promise<{ readonly world: World; readonly path: string }> => {
  const world = openWorld();
  const path = await createStack(world, "tree", { template: TREE, files: FILES });
  await world.settle();
  return { world, path };
};

const watch = (world: World) => {
  const largest = { resources: 0, stacks: 0, lists: 0 };
  const { store } = world;
  const { getResources, listResources, getStacks, listStacks } = store;
  store.getResources = async (stackId, ids) => {
    largest.resources = Math.max(largest.resources, ids.length);
    return getResources(stackId, ids);
  };
  store.listResources = (stackId) => {
    largest.lists += 1;
    return listResources(stackId);
  };
  store.getStacks = (tenant, ids) => {
    largest.stacks += ids.length;
    return getStacks(tenant, ids);
  };
  store.listStacks = (tenant) => {
    largest.lists += 1;
    return listStacks(tenant);
  };
  return largest;
};

const nextOf = (body: Json): string | null => {
  const links = at(body, "links") === undefined ? [] : listAt(body, "links");
  const next = links.find((one) => at(one, "rel") === "next");
  return next === undefined ? null : textAt(next, "href");
};

const pages = async (world: World, first: string, key: string): Promise<readonly Json[][]> => {
  const found: Json[][] = [];
  for (let url: string | null = first; url !== null; ) {
    const { status, body }: { status: number; body: Json } = await world.send("GET", url);
    expect(status).toBe(200);
    found.push([...listAt(body, key)]);
    url = nextOf(body);
  }
  return found;
};

describe("resources of a tree in pages", () => {
  it("are those of the whole list, in its order", async () => {
    const { world, path } = await openTree();
    for (const depth of [0, 1, 2, 5]) {
      const { body } = await world.send("GET", `${path}/resources?nested_depth=${depth}`);
      const whole = listAt(body, "resources");
      expect(at(body, "links")).toBeUndefined();
      const largest = watch(world);
      const url = `${path}/resources?nested_depth=${depth}&limit=${PAGE}`;
      const found = await pages(world, url, "resources");
      expect(found.flat()).toEqual(whole);
      for (const page of found.slice(0, -1)) expect(page).toHaveLength(PAGE);
      expect(largest).toMatchObject({ resources: depth === 0 ? 3 : PAGE, lists: 0 });
    }
  });

  it("begin behind a marker, with filters and details", async () => {
    const { world, path } = await openTree();
    const list = `${path}/resources?nested_depth=5&type=RandomString&with_detail=true`;
    const whole = listAt((await world.send("GET", list)).body, "resources");
    expect(whole).toHaveLength(MEMBERS + 6);
    const found = await pages(world, `${list}&limit=${PAGE}`, "resources");
    expect(found.flat()).toEqual(whole);
    expect(at(found[0]?.[0] ?? null, "attributes", "value")).toEqual(expect.any(String));
  });

  it("show what does not exist yet, and only what is left after a change", async () => {
    const world = openWorld();
    const path = await createStack(world, "tree", { template: TREE, files: FILES });
    const names = async (url: string) =>
      (await pages(world, url, "resources")).flat().map((one) => at(one, "resource_name"));
    expect(await names(`${path}/resources?limit=2`)).toEqual(["wide", "between", "deep"]);
    await world.settle();
    const smaller = { ...TREE, resources: { deep: group(2, "member.yaml") } };
    await world.send("PUT", path, { template: smaller, files: FILES });
    await world.settle();
    const left = ["deep", "0", "1", "one", "two", "one", "two"];
    expect(await names(`${path}/resources?nested_depth=3&limit=2`)).toEqual(left);
  });

  it("refuse a marker that is not in the list", async () => {
    const { world, path } = await openTree();
    const { body: other } = await world.send("POST", "/stacks", {
      stack_name: "other",
      template: TREE,
      files: FILES,
    });
    const refused = async (marker: string, depth = 5) => {
      const query = `nested_depth=${depth}&limit=2&marker=${encodeURIComponent(marker)}`;
      const answer = await world.send("GET", `${path}/resources?${query}`);
      return [answer.status, at(answer.body, "error", "message")];
    };
    const id = present(path.split("/").at(-1), "an id");
    const gone = (marker: string) => [
      400,
      `The marker "${marker}" is no resource of this list. Begin again without a marker.`,
    ];
    expect(await refused(`${id}/gone`)).toEqual(gone(`${id}/gone`));
    const foreign = `${textAt(other, "stack", "id")}/wide`;
    expect(await refused(foreign)).toEqual(gone(foreign));
    const wide = textAt(
      (await world.send("GET", `${path}/resources/wide`)).body,
      "resource",
      "physical_resource_id",
    );
    expect(await refused(`${wide}/0`, 0)).toEqual(gone(`${wide}/0`));
    expect(await refused("wide")).toEqual([
      400,
      'The marker "wide" is not of the form STACK_ID/RESOURCE_NAME.',
    ]);
  });
});

describe("events of a tree in pages", () => {
  const idsOf = (body: Json) => listAt(body, "events").map((one) => textAt(one, "id"));

  it.each(["asc", "desc"])("are those of the whole list, %s", async (direction) => {
    const { world, path } = await openTree();
    const list = `${path}/events?nested_depth=5&sort_dir=${direction}`;
    const whole = idsOf((await world.send("GET", list)).body);
    expect(whole.length).toBeGreaterThan(2 * MEMBERS);
    const found: string[] = [];
    for (let marker = ""; ; ) {
      const { body } = await world.send("GET", `${list}&limit=${PAGE}${marker}`);
      const page = idsOf(body);
      expect(page.length).toBeLessThanOrEqual(PAGE);
      found.push(...page);
      if (page.length < PAGE) break;
      marker = `&marker=${page.at(-1)}`;
    }
    expect(found).toEqual(whole);
  });

  it("are read only as far as the page asks", async () => {
    const { world, path } = await openTree();
    const { listEvents } = world.store;
    const limits: number[] = [];
    world.store.listEvents = async (stackId, query) => {
      const events = await listEvents(stackId, query);
      limits.push(events.length);
      return events;
    };
    await world.send("GET", `${path}/events?nested_depth=5&limit=${PAGE}`);
    expect(Math.max(...limits)).toBeLessThanOrEqual(2 * PAGE);
    const filtered = `${path}/events?nested_depth=5&limit=2&resource_name=two`;
    const { body } = await world.send("GET", filtered);
    expect(idsOf(body)).toHaveLength(2);
  });
});

describe("stacks with their nested ones in pages", () => {
  it("are those of the whole list, and a page reads no more stacks than it needs", async () => {
    const { world } = await openTree();
    const many = Array.from({ length: 120 }, (_, number) => `single-${number}`);
    for (const name of many) {
      await world.clock.advance(1);
      await createStack(world, name, { template: { heat_template_version: "2018-08-31" } });
    }
    await world.settle();
    for (const direction of ["", "&sort_dir=asc"]) {
      const list = `/stacks?show_nested=true${direction}`;
      const whole = listAt((await world.send("GET", list)).body, "stacks");
      expect(whole.length).toBe(many.length + 6);
      const largest = watch(world);
      expect((await pages(world, `${list}&limit=50`, "stacks")).flat()).toEqual(whole);
      largest.stacks = 0;
      await world.send("GET", `${list}&limit=3`);
      expect(largest).toMatchObject({ stacks: 100, lists: 0 });
    }
    const roots = await pages(world, "/stacks?limit=50", "stacks");
    expect(roots.flat()).toHaveLength(many.length + 1);
    const { body } = await world.send("GET", "/stacks?show_nested=true&with_count=true&limit=1");
    expect(at(body, "count")).toBe(many.length + 6);
  });
});
