/** A user adopts objects by id, and could give the id of another project's object. */
import { beforeEach, describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { JsonObject } from "#lib/json.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import type { ObjectCall, ProvidedType } from "#provider/provider.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { openWorld, textAt, type World } from "./api-world.ts";

const SERVER = "OS::Nova::Server";
const UNCHECKED = "Example::Thing::Unchecked";

let world: World;
let owners: Map<string, string>;
let deleted: string[];

const isOwn = ({ physicalId, tenant }: ObjectCall): boolean => owners.get(physicalId) === tenant;

const serverType: ProvidedType = {
  description: "nothing",
  properties: {},
  tokens: "kept",
  create: async ({ token, tenant }) => {
    owners.set(token, tenant);
    return { state: "finished", physicalId: token };
  },
  update: async (call) => ({ state: isOwn(call) ? "finished" : "gone" }),
  check: async (call) => ({ state: isOwn(call) ? "finished" : "gone" }),
  delete: async (call) => {
    if (isOwn(call)) owners.delete(call.physicalId);
    return { state: "finished" };
  },
};

const unchecked: ProvidedType = {
  description: "nothing",
  properties: {},
  tokens: "kept",
  create: async ({ token }) => ({ state: "finished", physicalId: token }),
  delete: async ({ physicalId }) => {
    deleted.push(physicalId);
    return { state: "finished" };
  },
};

const backEnd: ServerProvider = {
  provider: 2,
  name: "nothing",
  option: "--nothing",
  types: { [SERVER]: serverType },
  refusals: {},
  replaces: {},
  notes: {},
  serverId: (token) => token,
};

const limits = () => ({ limit: callLimit(), now: Date.now });

beforeEach(() => {
  owners = new Map();
  deleted = [];
  const own = providedType({ provider: "example", name: UNCHECKED, type: unchecked, ...limits() });
  const cloud = { backEnd, ...limits() };
  world = openWorld(undefined, { types: [own], formerProvider: () => null, cloud });
});

const make = async (tenant: string, body: JsonObject): Promise<string> => {
  const answer = await world.send("POST", `/v1/${tenant}/stacks`, { stack_name: "app", ...body });
  await world.settle();
  return `/v1/${tenant}/stacks/app/${textAt(answer.body, "stack", "id")}`;
};

const change = async (path: string, method: string, body?: JsonObject): Promise<void> => {
  await world.send(method, path, body);
  await world.settle();
};

const statusOf = async (path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const physicalIdOf = async (path: string, name: string): Promise<string> =>
  textAt(
    (await world.send("GET", `${path}/resources/${name}`)).body,
    "resource",
    "physical_resource_id",
  );

const templateOf = (name: string, type: string, properties: JsonObject = {}): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: { [name]: { type, properties } },
});

const adoptionOf = (template: JsonObject, name: string, id: string): JsonObject => ({
  adopt_stack_data: {
    template,
    resources: { [name]: { resource_id: id, resource_data: {}, metadata: {} } },
  },
});

const web = (image: string): JsonObject =>
  templateOf("web", SERVER, { image, flavor: "small", user_data_format: "SOFTWARE_CONFIG" });

const adoptAndUse = async (
  tenant: string,
  template: JsonObject,
  changed: JsonObject,
  name: string,
  id: string,
): Promise<string> => {
  const path = await make(tenant, adoptionOf(template, name, id));
  const status = await statusOf(path);
  await change(path, "PUT", { template: changed });
  await change(path, "DELETE");
  expect(await statusOf(path)).toBe("DELETE_COMPLETE");
  return status;
};

describe("an adoption by another project", () => {
  it("takes no server of a cloud, and neither its update nor its delete reaches the record", async () => {
    const path = await make("alpha", { template: web("one") });
    const id = await physicalIdOf(path, "web");
    const record = await world.ports.softwareConfigs.getServer(id);
    expect(record).toMatchObject({ tenant: "alpha" });
    expect(await adoptAndUse("beta", web("one"), web("two"), "web", id)).toBe("ADOPT_FAILED");
    expect(await world.ports.softwareConfigs.getServer(id)).toEqual(record);
    expect(owners.get(id)).toBe("alpha");
  });

  it("makes no record for a server that does not exist", async () => {
    expect(await adoptAndUse("beta", web("one"), web("two"), "web", "metal-1")).toBe(
      "ADOPT_FAILED",
    );
    expect(await world.ports.softwareConfigs.getServer("metal-1")).toBeNull();
  });

  it("takes no deployment on a server that nobody knows", async () => {
    const deployment = (a: string): JsonObject => ({
      heat_template_version: "2018-08-31",
      resources: {
        config: { type: "OS::Heat::SoftwareConfig", properties: { config: `echo ${a}` } },
        dep: {
          type: "OS::Heat::SoftwareDeployment",
          properties: {
            server: "metal-1",
            config: { get_resource: "config" },
            signal_transport: "NO_SIGNAL",
          },
        },
      },
    });
    const alone = templateOf("dep", "OS::Heat::SoftwareDeployment", {
      server: "metal-1",
      signal_transport: "NO_SIGNAL",
    });
    const path = await make("alpha", { template: deployment("mine") });
    const id = await physicalIdOf(path, "dep");
    const stored = () => world.ports.softwareConfigs.getDeployment("metal-1", id);
    const record = await stored();
    expect(record).toMatchObject({ tenant: "alpha" });
    const status = await adoptAndUse("beta", alone, deployment("theirs"), "dep", id);
    expect(await stored()).toEqual(record);
    expect(status).toBe("ADOPT_FAILED");
  });

  it("takes no object of a plug-in that cannot say whose it is", async () => {
    const path = await make("alpha", { template: templateOf("thing", UNCHECKED) });
    const id = await physicalIdOf(path, "thing");
    const template = templateOf("thing", UNCHECKED);
    expect(await adoptAndUse("beta", template, template, "thing", id)).toBe("ADOPT_FAILED");
    expect(deleted).not.toContain(id);
  });
});

describe("an adopted stub of another project", () => {
  it("is there after an update and a delete, since its provider knows its project", async () => {
    const stub = (size: number): JsonObject =>
      templateOf("disk", "Hearth::Stub::OS::Cinder::Volume", { size });
    const path = await make("alpha", { template: stub(1) });
    const id = await physicalIdOf(path, "disk");
    const before = await world.fakeProvider.list();
    await adoptAndUse("beta", stub(1), stub(2), "disk", id);
    expect(await world.fakeProvider.list()).toEqual(before);
  });
});

describe("an adoption by the same project", () => {
  it("takes its server with the record, whose URL stays good", async () => {
    const path = await make("alpha", { template: web("one") });
    const id = await physicalIdOf(path, "web");
    const before = await world.ports.softwareConfigs.getServer(id);
    const { body } = await world.send("DELETE", `${path}/abandon`);
    await world.settle();
    const adopted = await make("alpha", { adopt_stack_data: body });
    expect(await statusOf(adopted)).toBe("ADOPT_COMPLETE");
    const stackId = adopted.split("/").at(-1) ?? "";
    expect(await world.ports.softwareConfigs.getServer(id)).toMatchObject({
      tenant: "alpha",
      stackId,
      gen: before?.gen,
    });
    await change(adopted, "PUT", { template: web("two") });
    expect(await statusOf(adopted)).toBe("UPDATE_COMPLETE");
    expect(await physicalIdOf(adopted, "web")).toBe(id);
    await change(adopted, "DELETE");
    expect(await world.ports.softwareConfigs.getServer(id)).toBeNull();
    expect(owners.has(id)).toBe(false);
  });
});
