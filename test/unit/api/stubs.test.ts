import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const EMPTY: JsonObject = { heat_template_version: "2021-04-16" };
const STUBS: JsonObject = { resource_registry: { "OS::*": "Hearth::Stub::OS::*" } };

const template = (flavor: string): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: {
    net: { type: "OS::Neutron::Net" },
    port: { type: "OS::Neutron::Port", properties: { network: { get_resource: "net" } } },
    key: { type: "OS::Nova::KeyPair", properties: { name: "operators" } },
    server: {
      type: "OS::Nova::Server",
      properties: {
        image: "cirros",
        flavor,
        key_name: { get_resource: "key" },
        networks: [{ port: { get_resource: "port" } }, { network: "storage" }],
      },
    },
    config: { type: "OS::Heat::SoftwareConfig", properties: { config: "true" } },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: { server: { get_resource: "server" }, config: { get_resource: "config" } },
    },
    handle: { type: "OS::Heat::WaitConditionHandle" },
    condition: {
      type: "OS::Heat::WaitCondition",
      properties: { handle: { get_resource: "handle" }, timeout: 60 },
    },
  },
  outputs: {
    name: { value: { get_resource: "key" } },
    address: { value: { get_attr: ["server", "networks", "storage", 0] } },
    first: { value: { get_attr: ["server", "first_address"] } },
    mac: { value: { get_attr: ["port", "mac_address"] } },
    fixed: { value: { get_attr: ["port", "fixed_ips", 0, "ip_address"] } },
  },
});

const outputs = async (world: World, path: string): Promise<Record<string, unknown>> => {
  const { body } = await world.send("GET", path);
  const list = at(body, "stack", "outputs");
  const entries = Array.isArray(list) ? list : [];
  return Object.fromEntries(
    entries.map((one) => [textAt(one, "output_key"), at(one, "output_value")]),
  );
};

const statusOf = async (world: World, path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

describe("a type for administrators", () => {
  it("is in no list and is refused at create, and can be checked and previewed", async () => {
    const world = openWorld();
    const flavor = { type: "OS::Nova::Flavor", properties: { ram: 1, vcpus: 1 } };
    const body = {
      stack_name: "first",
      template: { heat_template_version: "2016-10-14", resources: { flavor } },
    };
    const refused = await world.send("POST", "/stacks", body);
    expect(refused.status).toBe(403);
    expect(textAt(refused.body, "error", "message")).toMatch(
      /^resources\.flavor: You are not authorized to use OS::Nova::Flavor\. No provider makes /,
    );
    expect((await world.send("POST", "/validate", body)).status).toBe(200);
    expect((await world.send("POST", "/stacks/preview", body)).status).toBe(200);
    const { body: listed } = await world.send("GET", "/resource_types?name=OS::Nova::.*");
    expect(listAt(listed, "resource_types")).toContain("OS::Nova::Server");
    expect(listAt(listed, "resource_types")).not.toContain("OS::Nova::Flavor");
    const stubbed = { resource_registry: { "OS::*": "Hearth::Stub::OS::*" } };
    const rehearsed = await world.send("POST", "/stacks", { ...body, environment: stubbed });
    expect(rehearsed.status).toBe(201);
  });
});

describe("a type without a provider", () => {
  it("is refused at create with what to use instead, and can be validated and previewed", async () => {
    const world = openWorld();
    const body = { stack_name: "first", template: template("small") };
    const refused = await world.send("POST", "/stacks", body);
    expect(refused.status).toBe(400);
    expect(textAt(refused.body, "error", "type")).toBe("ResourceTypeUnavailable");
    expect(textAt(refused.body, "error", "message")).toBe(
      "resources.net: No provider makes OS::Neutron::Net here. Run the stack with --stubs to rehearse it, or map the type in the resource registry.",
    );
    expect((await world.send("POST", "/validate", body)).status).toBe(200);
    expect((await world.send("POST", "/stacks/preview", body)).status).toBe(200);
  });

  it("is refused in an update and in a nested template, with the place", async () => {
    const world = openWorld();
    const path = await createStack(world, "first", { template: EMPTY });
    await world.settle();
    const files = { "nested.yaml": JSON.stringify(template("small")) };
    const nesting = {
      heat_template_version: "2021-04-16",
      resources: { below: { type: "nested.yaml" } },
    };
    const refused = await world.send("PUT", path, { template: nesting, files });
    expect(refused.status).toBe(400);
    expect(textAt(refused.body, "error", "message")).toContain(
      "resources.below<nested.yaml>.resources.net: No provider makes OS::Neutron::Net here.",
    );
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
  });

  it("may stand for an object that exists already", async () => {
    const world = openWorld();
    const path = await createStack(world, "first", {
      template: {
        heat_template_version: "2021-04-16",
        resources: { net: { type: "OS::Neutron::Net", external_id: "the-users-own" } },
      },
    });
    await world.settle();
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
  });
});

describe("a stub", () => {
  it("lets a template with servers and their software be created, updated and deleted", async () => {
    const world = openWorld();
    const environment = STUBS;
    const path = await createStack(world, "first", { template: template("small"), environment });
    await world.settle();
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
    const before = await outputs(world, path);
    expect(before).toMatchObject({
      name: "operators",
      address: expect.stringMatching(/^10\./),
      first: before["address"],
      mac: expect.stringMatching(/^02(:[0-9a-f]{2}){5}$/),
      fixed: expect.stringMatching(/^10\./),
    });
    expect(before["fixed"]).not.toBe(before["first"]);
    await world.send("PUT", path, { template: template("large"), environment });
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(await outputs(world, path)).toEqual(before);
    await world.send("DELETE", path);
    await world.settle();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await world.fakeProvider.list()).toEqual([]);
  });

  it("is checked, suspended and resumed", async () => {
    const world = openWorld();
    const path = await createStack(world, "first", {
      template: template("small"),
      environment: STUBS,
    });
    await world.settle();
    for (const action of ["check", "suspend", "resume"]) {
      await world.send("POST", `${path}/actions`, { [action]: null });
      await world.settle();
      expect(await statusOf(world, path)).toBe(`${action.toUpperCase()}_COMPLETE`);
    }
  });

  it("takes the place of one type only, where the environment names it", async () => {
    const world = openWorld();
    const refused = await world.send("POST", "/stacks", {
      stack_name: "first",
      template: template("small"),
      environment: {
        resource_registry: { "OS::Neutron::Net": "Hearth::Stub::OS::Neutron::Net" },
      },
    });
    expect(textAt(refused.body, "error", "message")).toMatch(/^resources\.port: No provider makes/);
  });

  it("is of a type that exists", async () => {
    const world = openWorld();
    const refused = await world.send("POST", "/stacks", {
      stack_name: "first",
      template: { ...EMPTY, resources: { a: { type: "OS::No::Type" } } },
      environment: STUBS,
    });
    expect(textAt(refused.body, "error", "message")).toBe(
      "The Resource Type (OS::No::Type) could not be found.",
    );
  });

  it("is shown as the type that the template names", async () => {
    const world = openWorld();
    const path = await createStack(world, "first", {
      template: template("small"),
      environment: STUBS,
    });
    await world.settle();
    const { body } = await world.send("GET", `${path}/resources/server`);
    expect(textAt(body, "resource", "resource_type")).toBe("OS::Nova::Server");
  });
});
