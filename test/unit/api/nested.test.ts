import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { CHILD, output, parent, state } from "./nested-templates.ts";

const files = { c: CHILD };
const reason = async (world: World, path: string) =>
  at((await world.send("GET", path)).body, "stack", "stack_status_reason");
const childOf = async (world: World, path: string): Promise<string> => {
  const { body } = await world.send("GET", `${path}/resources/child`);
  const links = listAt(body, "resource", "links");
  const nested = links.find((one) => at(one, "rel") === "nested");
  return textAt(nested ?? null, "href");
};

const ASKED = 'Failed validating stack template using Heat endpoint at region "RegionOne" due to';

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

  it("takes the region that it is in for a context", async () => {
    const world = openWorld();
    const properties = {
      template: CHILD,
      parameters: { size: "1" },
      context: { region_name: "RegionOne" },
    };
    const resources = { child: { type: "OS::Heat::Stack", properties } };
    const template = { heat_template_version: "2018-08-31", resources };
    const path = await createStack(world, "near", { template });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
  });

  it("refuses a context and errors of the nested template before anything is made", async () => {
    const world = openWorld();
    const refusal = async (properties: JsonObject) => {
      const other = { type: "OS::Heat::Stack", properties: { template: CHILD } };
      const resources = { child: { type: "OS::Heat::Stack", properties }, other };
      const template = { heat_template_version: "2018-08-31", resources };
      const answer = await world.send("POST", "/stacks", { stack_name: "bad", template });
      return [answer.status, at(answer.body, "error", "message")];
    };
    const refused = (key: string, why: string) => [
      400,
      `resources.child: properties.context.${key}: OS::Heat::Stack cannot have a context: ${why}`,
    ];
    const far = { template: CHILD, context: { region_name: "far" } };
    const region = [
      400,
      'Cannot establish connection to Heat endpoint at region "far" due to "public endpoint for orchestration service in far region not found"',
    ];
    expect(await refusal(far)).toEqual(region);
    const unknown = { size: { get_attr: ["other", "stack_name"] } };
    expect(await refusal({ ...far, parameters: unknown })).toEqual(region);
    const credential_secret_id = "11111111-2222-3333-4444-555555555555";
    expect(await refusal({ template: CHILD, context: { credential_secret_id } })).toEqual(
      refused("credential_secret_id", "a stack is made with the rights of its parent"),
    );
    const ca_cert = refused(
      "ca_cert",
      "no other cloud is asked, so there is no certificate to check",
    );
    expect(await refusal({ template: CHILD, context: { ca_cert: "PEM" } })).toEqual(ca_cert);
    const wrong = CHILD.replace("Hearth::Test::Scenario", "No::Such::Type");
    expect(await refusal({ template: wrong, parameters: { size: "1" } })).toEqual([
      400,
      `${ASKED} "ERROR: The Resource Type (No::Such::Type) could not be found."`,
    ]);
    const misspelt = CHILD.replace("resources:", "resource:");
    expect(await refusal({ template: misspelt })).toEqual([
      400,
      `${ASKED} "ERROR: The template section is invalid: resource"`,
    ]);
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

const BELOW = "heat_template_version: 2018-08-31";

describe("the timeout of an OS::Heat::Stack", () => {
  const create = (world: World, timeout: number) => {
    const child = { type: "OS::Heat::Stack", properties: { template: BELOW, timeout } };
    const template = { heat_template_version: "2018-08-31", resources: { child } };
    return world.send("POST", "/stacks", { stack_name: "top", timeout_mins: 7, template });
  };

  it("is that of its owner if it is 0, and cannot be less", async () => {
    const world = openWorld();
    const refused = await create(world, -1);
    expect([refused.status, at(refused.body, "error", "message")]).toEqual([
      400,
      `${ASKED} "ERROR: Invalid timeout value -1"`,
    ]);
    const path = textAt((await create(world, 0)).body, "stack", "links", 0, "href");
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    const shown = await world.send("GET", await childOf(world, path));
    expect(at(shown.body, "stack", "timeout_mins")).toBe(7);
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
  it("fails the resource above, with its class, place and text", async () => {
    const world = openWorld();
    const failing = CHILD.replace(
      "Hearth::Test::Scenario\n    properties: {size: {get_param: size}, extra: {get_param: extra}}",
      "OS::Heat::TestResource\n    properties: {fail: true, value: {get_param: size}}",
    ).replace("[inner, size]", "[inner, output]");
    const path = await createStack(world, "top", { template: parent("1"), files: { c: failing } });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_FAILED");
    expect(await reason(world, path)).toBe(
      "Resource CREATE failed: ValueError: resources.child.resources.inner: Test Resource failed inner",
    );
  });
});

describe("an output that reads a failed nested stack", () => {
  const failing = (value: string): JsonObject => ({
    heat_template_version: "2018-08-31",
    resources: {
      good: { type: "OS::Heat::TestResource", properties: { value } },
      bad: {
        type: "OS::Heat::TestResource",
        depends_on: "good",
        properties: { fail: true, value },
      },
    },
    outputs: { good: { value: { get_attr: ["good", "output"] } } },
  });
  const bodyOf = (value: string, child: JsonObject, path: readonly string[]) => ({
    template: {
      heat_template_version: "2018-08-31",
      resources: { child },
      outputs: { got: { value: { get_attr: ["child", ...path] } } },
    },
    files: { "c.yaml": JSON.stringify(failing(value)) },
  });
  const count = { count: 1, resource_def: { type: "c.yaml" } };

  it.each([
    ["a template as a type", { type: "c.yaml" }, ["good"]],
    [
      "OS::Heat::Stack",
      { type: "OS::Heat::Stack", properties: { template: { get_file: "c.yaml" } } },
      ["outputs", "good"],
    ],
    ["a group", { type: "OS::Heat::ResourceGroup", properties: count }, ["resource.0.good"]],
  ])("has the value that exists, also after an update: %s", async (_, child, path) => {
    const world = openWorld();
    const stack = await createStack(world, "top", bodyOf("1", child, path));
    await world.settle();
    const found = async () => [await state(world, stack), await output(world, stack, "got")];
    expect(await found()).toEqual(["CREATE_FAILED", "1"]);
    await world.send("PUT", stack, bodyOf("2", child, path));
    await world.settle();
    expect(await found()).toEqual(["UPDATE_FAILED", "2"]);
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
