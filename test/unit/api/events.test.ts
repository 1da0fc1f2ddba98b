import { describe, expect, it } from "vitest";
import { listEvents } from "#lib/engine/events/list-events.ts";
import { at, createStack, listAt, openWorld, textAt } from "./api-world.ts";

const YEAR_MS = 365 * 24 * 3_600_000;

const child = `
heat_template_version: 2018-08-31
resources:
  inner: {type: OS::Heat::TestResource, properties: {wait_secs: 5}}
`;
const template = {
  heat_template_version: "2018-08-31",
  resources: {
    first: { type: "OS::Heat::TestResource", properties: { wait_secs: 5 } },
    below: { type: "child.yaml", depends_on: "first" },
    last: { type: "OS::Heat::TestResource", depends_on: "below" },
  },
};

describe("events", () => {
  it("keep the order of their causes after the clock jumped forward and back", async () => {
    const world = openWorld();
    world.clock.advance(YEAR_MS);
    const path = await createStack(world, "app", { template, files: { "child.yaml": child } });
    for (let steps = 0; steps < 2; steps++) await world.step();
    world.clock.advance(-YEAR_MS);
    await world.settle();
    const { body } = await world.send("GET", `${path}/events?sort_dir=asc&nested_depth=1`);
    const told = listAt(body, "events").map(
      (one) =>
        `${String(at(one, "resource_name")).slice(0, 9)} ${textAt(one, "resource_status").slice(7)}`,
    );
    const nested = told.filter((one) => one.startsWith("app-below"));
    expect(told.filter((one) => !one.startsWith("app-below"))).toEqual([
      "app IN_PROGRESS",
      "first IN_PROGRESS",
      "first COMPLETE",
      "below IN_PROGRESS",
      "inner IN_PROGRESS",
      "inner COMPLETE",
      "below COMPLETE",
      "last IN_PROGRESS",
      "last COMPLETE",
      "app COMPLETE",
    ]);
    expect(nested).toEqual(["app-below IN_PROGRESS", "app-below COMPLETE"]);
    const { body: newest } = await world.send("GET", `${path}/events?sort_dir=desc&limit=1`);
    expect(textAt(listAt(newest, "events")[0] ?? null, "resource_status")).toBe("CREATE_COMPLETE");
  });

  it("of a page of none are none, and so are stacks", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template, files: { "child.yaml": child } });
    await world.settle();
    for (const query of ["limit=0", "limit=0&nested_depth=2", "limit=0&resource_name=app"]) {
      expect((await world.send("GET", `${path}/events?${query}`)).body).toEqual({ events: [] });
    }
    for (const query of ["limit=0", "limit=0&show_deleted=true", "limit=0&sort_keys=name"]) {
      expect((await world.send("GET", `/stacks?${query}`)).body).toEqual({ stacks: [] });
    }
    const counted = await world.send("GET", "/stacks?limit=0&with_count=true");
    expect(counted.body).toEqual({ stacks: [], count: 1 });
    expect((await world.send("GET", "/stacks/none/none/events?limit=0")).status).toBe(404);
  });

  it("of a page look for the marker in several nested stacks at once", async () => {
    const world = openWorld();
    const type = "child.yaml";
    const resources = { one: { type }, two: { type }, three: { type } };
    const given = { template: { ...template, resources }, files: { "child.yaml": child } };
    const path = await createStack(world, "app", given);
    await world.settle();
    const [name = "", id = ""] = path.split("/").slice(-2);
    const [first] = await world.store.listEvents(id, { descending: false, limit: 1 });
    let asked = 0;
    let askedAtOnceMax = 0;
    const orderOfEvent: typeof world.store.orderOfEvent = async (...words) => {
      asked += 1;
      askedAtOnceMax = Math.max(askedAtOnceMax, asked);
      const order = await world.store.orderOfEvent(...words);
      asked -= 1;
      return order;
    };
    const ports = { ...world.ports, store: { ...world.store, orderOfEvent } };
    const any = {
      resourceName: undefined,
      resourceType: undefined,
      resourceAction: undefined,
      resourceStatus: undefined,
    };
    const page = {
      filters: any,
      marker: first?.id ?? "",
      limit: 1,
      descending: false,
      nestedDepth: 1,
    };
    const { events } = await listEvents(ports, { tenant: "demo", name, id }, page);
    expect(events).toHaveLength(1);
    expect(askedAtOnceMax).toBeGreaterThan(1);
  });
});
