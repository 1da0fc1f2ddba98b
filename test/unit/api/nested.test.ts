import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const CHILD = `
heat_template_version: 2018-08-31
parameters:
  size: {type: string}
  extra: {type: comma_delimited_list, default: "x,y"}
resources:
  inner:
    type: Hearth::Test::Scenario
    properties: {size: {get_param: size}, extra: {get_param: extra}}
outputs:
  size: {value: {get_attr: [inner, size]}}
  id: {value: {get_resource: inner}}
`;

const parent = (size: string, extra: JsonObject = {}): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    child: {
      type: "OS::Heat::Stack",
      properties: { template: { get_file: "c" }, parameters: { size } },
    },
    after: {
      type: "Hearth::Test::Scenario",
      properties: { got: { get_attr: ["child", "outputs", "size"] } },
    },
    ...extra,
  },
  outputs: { got: { value: { get_attr: ["after", "got"] } } },
});

const provider = (size: string, type = "c.yaml"): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    child: { type, properties: { size } },
    after: { type: "Hearth::Test::Scenario", properties: { got: { get_attr: ["child", "size"] } } },
  },
  outputs: {
    got: { value: { get_attr: ["after", "got"] } },
    ref: { value: { get_resource: "child" } },
    inner: { value: { get_attr: ["child", "resource.inner"] } },
    step: { value: { get_attr: ["child", "resource.inner.size"] } },
    all: { value: { get_attr: ["child"] } },
  },
});

const files = { c: CHILD };
const output = async (world: World, path: string, key: string) =>
  at((await world.send("GET", `${path}/outputs/${key}`)).body, "output", "output_value");
const state = async (world: World, path: string) =>
  at((await world.send("GET", path)).body, "stack", "stack_status");
const reason = async (world: World, path: string) =>
  at((await world.send("GET", path)).body, "stack", "stack_status_reason");
const childOf = async (world: World, path: string): Promise<string> => {
  const { body } = await world.send("GET", `${path}/resources/child`);
  const links = listAt(body, "resource", "links");
  const nested = links.find((one) => at(one, "rel") === "nested");
  return textAt(nested ?? null, "href");
};
const depthOf = (index: number): string =>
  Array.from({ length: index }, () => "resources.n<n.yaml>").join(".");

describe("OS::Heat::Stack", () => {
  it("makes a nested stack, passes on its outputs, follows updates and ends with its parent", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", { template: parent("1"), files });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("1");
    const child = await childOf(world, path);
    expect(await state(world, child)).toBe("CREATE_COMPLETE");
    await world.send("PUT", path, { template: parent("2"), files });
    await world.settle();
    expect(await state(world, path)).toBe("UPDATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("2");
    expect(await childOf(world, path)).toBe(child);
    expect(await state(world, child)).toBe("UPDATE_COMPLETE");
    for (const action of ["suspend", "resume", "check"]) {
      await world.send("POST", `${path}/actions`, { [action]: null });
      await world.settle();
      expect(await state(world, path)).toBe(`${action.toUpperCase()}_COMPLETE`);
      expect(await state(world, child)).toBe(`${action.toUpperCase()}_COMPLETE`);
    }
    await world.send("DELETE", path);
    await world.settle();
    expect(await state(world, path)).toBe("DELETE_COMPLETE");
    expect(await state(world, child)).toBe("DELETE_COMPLETE");
    expect(await world.fakeProvider.list()).toEqual([]);
    expect(world.unexpected).toEqual([]);
  });

  it("passes on a change of the file without a change of properties", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", {
      template: provider("1"),
      files: { "c.yaml": CHILD },
    });
    await world.settle();
    const more = CHILD.replace("outputs:", "  other: {type: Hearth::Test::Scenario}\noutputs:");
    await world.send("PUT", path, { template: provider("1"), files: { "c.yaml": more } });
    await world.settle();
    expect(await state(world, path)).toBe("UPDATE_COMPLETE");
    const names = (await world.fakeProvider.list()).map(({ logicalName }) => logicalName);
    expect(names.toSorted()).toEqual(["after", "inner", "other"]);
  });

  it("refuses a context and errors of the nested template before anything is made", async () => {
    const world = openWorld();
    const refusal = async (properties: JsonObject) => {
      const resources = { child: { type: "OS::Heat::Stack", properties } };
      const template = { heat_template_version: "2018-08-31", resources };
      const answer = await world.send("POST", "/stacks", { stack_name: "bad", template });
      return [answer.status, at(answer.body, "error", "message")];
    };
    expect(await refusal({ template: CHILD, context: { region_name: "far" } })).toEqual([
      400,
      expect.stringContaining("OS::Heat::Stack cannot have a context"),
    ]);
    const wrong = CHILD.replace("Hearth::Test::Scenario", "No::Such::Type");
    expect(await refusal({ template: wrong, parameters: { size: "1" } })).toEqual([
      400,
      "resources.child: The Resource Type (No::Such::Type) could not be found.",
    ]);
  });
});

describe("a template as a type", () => {
  it("has the template's parameters for properties and its outputs for attributes", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", {
      template: provider("1", "My::Thing"),
      files: { "c.yaml": CHILD },
      environment: { resource_registry: { "My::*": "c.yaml" } },
    });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("1");
    const [inner] = (await world.fakeProvider.list()).filter((one) => one.logicalName === "inner");
    expect(inner?.properties).toEqual({ size: "1", extra: ["x", "y"] });
    expect(await output(world, path, "inner")).toBe(inner?.physicalId);
    expect(await output(world, path, "all")).toEqual({
      size: "1",
      id: inner?.physicalId,
      "resource.inner": inner?.physicalId,
      "resource.inner.size": "1",
    });
    expect(await output(world, path, "step")).toBe("1");
    expect(await output(world, path, "ref")).toMatch(
      /^arn:openstack:heat::demo:stacks\/top-child-/,
    );
    const shown = await world.send("GET", `${path}/resources/child`);
    expect(at(shown.body, "resource", "resource_type")).toBe("My::Thing");
  });

  it("takes a null for a required parameter as Heat does: an empty text, list or map", async () => {
    const world = openWorld();
    const child = {
      heat_template_version: "2018-08-31",
      parameters: Object.fromEntries(
        ["string", "number", "boolean", "comma_delimited_list", "json"].map((type) => [
          type,
          { type },
        ]),
      ),
      outputs: {
        all: {
          value: ["string", "number", "boolean", "comma_delimited_list", "json"].map((type) => ({
            get_param: type,
          })),
        },
      },
    };
    const properties = {
      string: null,
      number: null,
      boolean: null,
      comma_delimited_list: null,
      json: null,
    };
    const path = await createStack(world, "top", {
      template: {
        heat_template_version: "2018-08-31",
        resources: { child: { type: "c.yaml", properties } },
        outputs: { all: { value: { get_attr: ["child", "all"] } } },
      },
      files: { "c.yaml": JSON.stringify(child) },
    });
    await world.settle();
    expect(await output(world, path, "all")).toEqual(["", 0, false, [], {}]);
  });

  it("refuses unknown properties, and requires the template's parameters", async () => {
    const world = openWorld();
    const refusal = async (properties: JsonObject, file: JsonObject = { "c.yaml": CHILD }) => {
      const resources = { child: { type: "c.yaml", properties } };
      const template = { heat_template_version: "2018-08-31", resources };
      const answer = await world.send("POST", "/stacks", {
        stack_name: "bad",
        template,
        files: file,
      });
      return at(answer.body, "error", "message");
    };
    expect(await refusal({ size: "1", bogus: 1 })).toBe(
      "Property error: resources.child.properties: Unknown Property bogus",
    );
    expect(await refusal({})).toBe(
      "Property error: resources.child.properties: Property size not assigned",
    );
    expect(await refusal({ size: "1" }, {})).toBe(
      'Could not fetch remote template "c.yaml": Invalid URL scheme ',
    );
  });

  it("nests at most five levels deep", async () => {
    const nests = "heat_template_version: 2018-08-31\nresources: {n: {type: n.yaml}}\n";
    const world = openWorld();
    const template = { heat_template_version: "2018-08-31", resources: { n: { type: "n.yaml" } } };
    const body = { stack_name: "deep", template, files: { "n.yaml": nests } };
    const answer = await world.send("POST", "/stacks", body);
    expect(at(answer.body, "error", "message")).toBe(
      `RequestLimitExceeded: ${depthOf(6)}: Request limit exceeded: Recursion depth exceeds 5.`,
    );
    const level = (below: string) =>
      `heat_template_version: 2018-08-31\nresources: {n: {type: ${below}}}\n`;
    const chain = {
      "1.yaml": level("2.yaml"),
      "2.yaml": level("3.yaml"),
      "3.yaml": level("4.yaml"),
      "4.yaml": level("5.yaml"),
      "5.yaml": level("Hearth::Test::Scenario"),
    };
    const top = { heat_template_version: "2018-08-31", resources: { n: { type: "1.yaml" } } };
    const path = await createStack(world, "five", { template: top, files: chain });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    const all = await world.send("GET", `${path}/resources?nested_depth=5`);
    expect(listAt(all.body, "resources")).toHaveLength(6);
    const two = await world.send("GET", `${path}/resources?nested_depth=1`);
    expect(listAt(two.body, "resources")).toHaveLength(2);
    expect(at(two.body, "resources", 1, "parent_resource")).toBe("n");
  });

  it("counts the resources of all levels together", async () => {
    const many = Array.from({ length: 400 }, (_, at) => `r${at}: {type: OS::Heat::None}`);
    const nested = `heat_template_version: 2018-08-31\nresources: {${many.join(", ")}}\n`;
    const stacks = Array.from({ length: 300 }, (_, at) => `s${at}: {type: n.yaml}`);
    const level = `heat_template_version: 2018-08-31\nresources: {${stacks.join(", ")}}\n`;
    const resources = { a: { type: "level.yaml" } };
    const world = openWorld();
    const template = { heat_template_version: "2018-08-31", resources };
    const body = { stack_name: "many", template, files: { "n.yaml": nested, "level.yaml": level } };
    const answer = await world.send("POST", "/stacks", body);
    expect(at(answer.body, "error", "message")).toBe(
      "Request limit exceeded: Maximum resources per stack exceeded.",
    );
  });
});

describe("nested stacks in the API", () => {
  it("are listed only on request, and name their parent", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", { template: parent("1"), files });
    await world.settle();
    const list = async (query: string) =>
      listAt((await world.send("GET", `/stacks${query}`)).body, "stacks");
    expect(await list("")).toHaveLength(1);
    const all = await list("?show_nested=true");
    expect(all).toHaveLength(2);
    const id = path.split("/").at(-1);
    expect(all.map((one) => at(one, "parent")).toSorted()).toEqual([null, id].toSorted());
    expect(await list(`?owner_id=${id}`)).toHaveLength(1);
  });

  it("have events in their parent's list, in order, with links to their stack and the root", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", { template: parent("1"), files });
    await world.settle();
    const own = listAt((await world.send("GET", `${path}/events?sort_dir=asc`)).body, "events");
    const { body } = await world.send("GET", `${path}/events?sort_dir=asc&nested_depth=2`);
    const all = listAt(body, "events");
    expect(all.length).toBeGreaterThan(own.length);
    const times = all.map((one) => textAt(one, "event_time"));
    expect(times).toEqual(times.toSorted());
    const inner = all.find((one) => at(one, "resource_name") === "inner");
    const href = (rel: string) => {
      const links = listAt(inner ?? null, "links");
      return textAt(links.find((one) => at(one, "rel") === rel) ?? null, "href");
    };
    expect(href("root_stack")).toContain(path);
    expect(href("stack")).toContain("/top-child-");
    const physicalIds = all.map((one) => textAt(one, "physical_resource_id"));
    const nameBelow = textAt(
      all.find((one) => at(one, "resource_name") === "child") ?? null,
      "physical_resource_id",
    );
    expect(href("stack")).toContain(`/stacks/${nameBelow}/`);
    expect(physicalIds).not.toContain("");
    const states = all.map(
      (one) => `${textAt(one, "resource_name")} ${textAt(one, "resource_status")}`,
    );
    expect(states.map((one) => one.replace(nameBelow, "below"))).toEqual([
      "top CREATE_IN_PROGRESS",
      "child CREATE_IN_PROGRESS",
      "below CREATE_IN_PROGRESS",
      "inner CREATE_IN_PROGRESS",
      "inner CREATE_COMPLETE",
      "below CREATE_COMPLETE",
      "child CREATE_COMPLETE",
      "after CREATE_IN_PROGRESS",
      "after CREATE_COMPLETE",
      "top CREATE_COMPLETE",
    ]);
    const marker = textAt(all[3] ?? null, "id");
    const rest = await world.send(
      "GET",
      `${path}/events?sort_dir=asc&nested_depth=2&marker=${marker}`,
    );
    expect(listAt(rest.body, "events")).toEqual(all.slice(4));
    expect(own.some((one) => textAt(one, "resource_status").startsWith("SIGNAL"))).toBe(false);
  });
});

describe("secrets of a parent", () => {
  it("stay hidden in the nested stack, even if its parameter is not hidden", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", {
      template: {
        heat_template_version: "2018-08-31",
        parameters: { password: { type: "string", hidden: true } },
        resources: {
          child: {
            type: "OS::Heat::Stack",
            properties: { template: CHILD, parameters: { size: { get_param: "password" } } },
          },
          other: { type: "c.yaml", properties: { size: { get_param: "password" } } },
        },
      },
      files: { "c.yaml": CHILD },
      parameters: { password: "swordfish" },
    });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    const { body } = await world.send("GET", "/stacks/detail?show_nested=true");
    const shown = listAt(body, "stacks").map((one) => JSON.stringify(at(one, "parameters")));
    expect(shown).toHaveLength(3);
    expect(shown.join()).not.toContain("swordfish");
    const events = await world.send("GET", `${path}/events?nested_depth=3`);
    expect(JSON.stringify(events.body)).not.toContain("swordfish");
    const child = await childOf(world, path);
    for (const document of ["template", "environment", "files"]) {
      const answer = await world.send("GET", `${child}/${document}`);
      expect(JSON.stringify(answer.body)).not.toContain("swordfish");
    }
  });
});

describe("a failure below", () => {
  it("fails the resource above, with its reason", async () => {
    const world = openWorld();
    const failing = CHILD.replace(
      "Hearth::Test::Scenario\n    properties: {size: {get_param: size}, extra: {get_param: extra}}",
      "OS::Heat::TestResource\n    properties: {fail: true, value: {get_param: size}}",
    ).replace("[inner, size]", "[inner, output]");
    const path = await createStack(world, "top", { template: parent("1"), files: { c: failing } });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_FAILED");
    expect(await reason(world, path)).toBe(
      "Resource CREATE failed: Error: resources.child: Resource CREATE failed: ValueError: resources.inner: Test Resource failed inner",
    );
  });
});

describe("a stack whose check has failed below", () => {
  it("is suspended and resumed like others, and can then be updated", async () => {
    const world = openWorld();
    const act = async (action: string): Promise<void> => {
      await world.send("POST", `${path}/actions`, { [action]: null });
      await world.settle();
    };
    const mark = () => world.send("PATCH", `${path}/resources/child`, { mark_unhealthy: true });
    const isSuspended = async () =>
      (await world.ports.store.listStacks("demo")).map(({ suspended }) => suspended);
    const path = await createStack(world, "app", { template: parent("1"), files });
    await world.settle();
    await act("suspend");
    await mark();
    await act("resume");
    expect(await isSuspended()).toEqual([false, false]);
    await mark();
    await act("suspend");
    expect(await isSuspended()).toEqual([true, true]);
    await act("resume");
    await world.send("PUT", path, { template: parent("2"), files });
    await world.settle();
    expect(await state(world, path)).toBe("UPDATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("2");
  });
});
