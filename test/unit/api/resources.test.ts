import { beforeEach, describe, expect, it } from "vitest";
import { at, createStack, listAt, openWorld, PUBLIC_URL, type World } from "./api-world.ts";

const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: {
    secret: { type: "OS::Heat::RandomString", description: "a secret" },
    first: { type: "OS::Heat::Value", properties: { value: { get_attr: ["secret", "value"] } } },
    second: {
      type: "OS::Heat::None",
      depends_on: ["secret", "first"],
      metadata: { role: "web", of: { get_param: "OS::stack_name" } },
    },
  },
  outputs: { all: { value: { get_attr: ["secret", "value"] } } },
};

let world: World;
let path: string;
beforeEach(async () => {
  world = openWorld();
  path = await createStack(world, "app", { template: TEMPLATE });
});

const names = async (search: string): Promise<readonly unknown[]> => {
  const { body } = await world.send("GET", `${path}/resources${search}`);
  return listAt(body, "resources").map((resource) => at(resource, "resource_name"));
};

describe("the resources of a stack", () => {
  it("are shown as INIT_COMPLETE before their rows exist", async () => {
    const { body } = await world.send("GET", `${path}/resources/first`);
    expect(at(body, "resource")).toMatchObject({
      resource_status: "INIT_COMPLETE",
      physical_resource_id: "",
      resource_type: "OS::Heat::Value",
    });
  });

  it("are listed in the template's order, with the resources that require them", async () => {
    await world.settle();
    const { body } = await world.send("GET", `${path}/resources`);
    const [secret] = listAt(body, "resources");
    const href = `${PUBLIC_URL}/v1/demo${path}`;
    expect(secret).toEqual({
      links: [
        { rel: "self", href: `${href}/resources/secret` },
        { rel: "stack", href },
      ],
      resource_name: "secret",
      logical_resource_id: "secret",
      physical_resource_id: expect.any(String),
      resource_status: "CREATE_COMPLETE",
      resource_status_reason: expect.any(String),
      resource_type: "OS::Heat::RandomString",
      creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_time: expect.stringMatching(/Z$/),
      required_by: ["first", "second"],
    });
    expect(await names("")).toEqual(["secret", "first", "second"]);
  });

  it("are filtered, and an unknown filter is refused", async () => {
    await world.settle();
    expect(await names("?type=Value")).toEqual(["first"]);
    expect(await names("?name=second&name=first")).toEqual(["first", "second"]);
    expect(await names("?status=CREATE_COMPLETE&nested_depth=2")).toHaveLength(3);
    expect(await names("?action=DELETE")).toEqual([]);
    const { status, body } = await world.send("GET", `${path}/resources?colour=red`);
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe("Invalid filter parameters ['colour']");
  });

  it("hide a secret attribute unless the request names it", async () => {
    await world.settle();
    const shown = await world.send("GET", `${path}/resources/secret`);
    expect(at(shown.body, "resource", "attributes", "value")).toBe("******");
    expect(at(shown.body, "resource", "description")).toBe("a secret");
    const asked = await world.send("GET", `${path}/resources/secret?with_attr=value`);
    expect(at(asked.body, "resource", "attributes", "value")).toMatch(/^\w{32}$/);
    const inherited = await world.send("GET", `${path}/resources/secret?with_attr=constructor`);
    expect(at(inherited.body, "resource", "attributes", "constructor")).toBe(null);
    const detailed = await world.send("GET", `${path}/resources?with_detail=true`);
    expect(at(detailed.body, "resources", 0, "attributes", "value")).toBe("******");
  });

  it("show of a group none of what Hearth holds beside its attributes", async () => {
    const member = { type: "OS::Heat::Value", properties: { value: "one" } };
    const stack = await createStack(world, "groups", {
      template: {
        heat_template_version: "2016-10-14",
        resources: {
          group: {
            type: "OS::Heat::ResourceGroup",
            properties: { count: 1, resource_def: member },
          },
        },
        outputs: {
          values: { value: { get_attr: ["group", "value"] } },
          missing: { value: { get_attr: ["group", "resource.9"] } },
        },
      },
    });
    await world.settle();
    const { body } = await world.send("GET", `${stack}/resources/group`);
    expect(at(body, "resource", "attributes")).toEqual({
      attributes: null,
      refs: [expect.any(String)],
      refs_map: { "0": expect.any(String) },
      removed_rsrc_list: [],
    });
    const asked = await world.send(
      "GET",
      `${stack}/resources/group?with_attr=Hearth::by_label&with_attr=Hearth::errors`,
    );
    expect(at(asked.body, "resource", "attributes")).toMatchObject({
      "Hearth::by_label": null,
      "Hearth::errors": null,
    });
  });

  it("show their metadata resolved", async () => {
    const { body } = await world.send("GET", `${path}/resources/second/metadata`);
    expect(body).toEqual({ metadata: { role: "web", of: "app" } });
  });

  it("answer 404 for an unknown name", async () => {
    const { status, body } = await world.send("GET", `${path}/resources/nosuch`);
    expect(status).toBe(404);
    expect(at(body, "error")).toEqual({
      type: "ResourceNotFound",
      message: "The Resource (nosuch) could not be found in Stack app.",
      traceback: null,
    });
  });

  it("are listed during their delete, and not afterwards", async () => {
    await world.settle();
    await world.send("DELETE", path);
    expect(await names("")).toHaveLength(3);
    await world.settle();
    expect(await names("")).toEqual([]);
  });
});

describe("the events of a stack", () => {
  it("are in order, and continue after a marker", async () => {
    await world.settle();
    const { body } = await world.send("GET", `${path}/events?sort_dir=asc`);
    const events = listAt(body, "events");
    const [id = ""] = path.split("/").slice(-1);
    expect(at(events[0], "resource_name")).toBe("app");
    expect(at(events[0], "resource_status")).toBe("CREATE_IN_PROGRESS");
    expect(events.at(-1)).toMatchObject({
      resource_name: "app",
      logical_resource_id: "app",
      physical_resource_id: id,
      resource_status: "CREATE_COMPLETE",
    });
    const marker = String(at(events.at(-2), "id"));
    const rest = await world.send("GET", `${path}/events?sort_dir=asc&marker=${marker}`);
    expect(listAt(rest.body, "events")).toEqual([events.at(-1)]);
    const unknown = await world.send("GET", `${path}/events?sort_dir=asc&marker=nosuch`);
    expect(listAt(unknown.body, "events")).toEqual(events);
  });

  it("begin with the newest unless a request says otherwise, as in Heat", async () => {
    await world.settle();
    const { body } = await world.send("GET", `${path}/events?sort_dir=asc`);
    const newestFirst = listAt(body, "events").toReversed();
    const plain = await world.send("GET", `${path}/events`);
    expect(listAt(plain.body, "events")).toEqual(newestFirst);
    const page = await world.send("GET", `${path}/events?limit=2`);
    expect(listAt(page.body, "events")).toEqual(newestFirst.slice(0, 2));
    const unknown = await world.send("GET", `${path}/events?sort_dir=up`);
    expect(unknown.status).toBe(400);
    expect(at(unknown.body, "error", "message")).toBe(
      'Unknown sort direction "up", must be one of: asc, desc',
    );
  });

  it("link to themselves, to their resource and to the root stack", async () => {
    await world.settle();
    const { body } = await world.send("GET", `${path}/events?resource_name=first&limit=1`);
    const event = listAt(body, "events")[0] ?? null;
    const links = listAt(event, "links");
    expect(links.map((link) => at(link, "rel"))).toEqual([
      "self",
      "resource",
      "stack",
      "root_stack",
    ]);
    const shown = await world.send("GET", String(at(links[0], "href")));
    expect(at(shown.body, "event")).toMatchObject({
      id: at(event, "id"),
      resource_type: "OS::Heat::Value",
      resource_properties: {},
    });
  });

  it("are filtered by resource, type, action and status", async () => {
    await world.settle();
    const count = async (search: string) =>
      listAt((await world.send("GET", `${path}/events?${search}`)).body, "events").length;
    expect(await count("resource_status=COMPLETE")).toBe(4);
    expect(await count("resource_type=OS::Heat::Stack")).toBe(2);
    expect(await count("resource_status=COMPLETE&limit=1")).toBe(1);
    const ofOne = await world.send("GET", `${path}/resources/first/events`);
    expect(listAt(ofOne.body, "events").map((event) => at(event, "resource_status"))).toEqual([
      "CREATE_COMPLETE",
      "CREATE_IN_PROGRESS",
    ]);
  });

  it("answer 404 for a resource without events", async () => {
    const { status, body } = await world.send("GET", `${path}/resources/nosuch/events`);
    expect(status).toBe(404);
    expect(at(body, "error", "message")).toBe("No events found for resource nosuch");
  });
});
