import { describe, expect, it } from "vitest";
import { EXISTING_ENVIRONMENT } from "#lib/inventory/inventory.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const MACHINES: JsonObject = {
  machines: [
    {
      name: "web-1",
      address: "192.0.2.11",
      public_address: "198.51.100.11",
      addresses: { storage: "10.9.0.11" },
      labels: { role: "web" },
      groups: ["front"],
    },
    { name: "web-2", address: "192.0.2.12", labels: { role: "web" }, groups: ["front"] },
    { name: "db", address: "192.0.2.20", labels: { role: "database" } },
  ],
  servers: [{ server: "web*", group: "front" }],
};

const environment = (inventory: Json = MACHINES): JsonObject => ({
  ...EXISTING_ENVIRONMENT,
  parameter_defaults: { hearth_inventory: inventory },
});

const server = (properties: JsonObject = {}): JsonObject => ({
  type: "OS::Nova::Server",
  properties: { image: "cirros", flavor: "small", ...properties },
});

const template = (resources: JsonObject, outputs: JsonObject = {}): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources,
  outputs,
});

const outputs = async (world: World, path: string): Promise<Record<string, unknown>> => {
  const { body } = await world.send("GET", path);
  const list = at(body, "stack", "outputs");
  const entries = Array.isArray(list) ? list : [];
  return Object.fromEntries(
    entries.map((one) => [textAt(one, "output_key"), at(one, "output_value")]),
  );
};

const create = async (
  world: World,
  name: string,
  resources: JsonObject,
  more: { outputs?: JsonObject; inventory?: Json; files?: JsonObject } = {},
): Promise<string> => {
  const { outputs: wanted = {}, inventory, files = {} } = more;
  const path = await createStack(world, name, {
    template: template(resources, wanted),
    environment: environment(inventory),
    files,
  });
  await world.settle();
  return path;
};

const stackOf = async (world: World, path: string): Promise<readonly [string, string]> => {
  const { body } = await world.send("GET", path);
  return [textAt(body, "stack", "stack_status"), textAt(body, "stack", "stack_status_reason")];
};

const update = async (world: World, path: string, resources: JsonObject): Promise<void> => {
  await world.send("PUT", path, { template: template(resources), environment: environment() });
  await world.settle();
};

const remove = async (world: World, path: string): Promise<void> => {
  await world.send("DELETE", path);
  await world.settle();
};

const taken = async (world: World): Promise<readonly string[]> =>
  (await world.ports.softwareConfigs.listTakenMachines("demo"))
    .map(({ name, resourceName }) => `${name} ${resourceName}`)
    .sort();

const reasonOf = async (world: World, path: string, resource: string): Promise<string> => {
  const { body } = await world.send("GET", `${path}/resources/${resource}`);
  return textAt(body, "resource", "resource_status_reason");
};

const firstAddress = { first: { value: { get_attr: ["web", "first_address"] } } };

describe("a server on an existing machine", () => {
  it("has the machine's addresses, and so have its port and its floating addresses", async () => {
    const world = openWorld();
    const resources: JsonObject = {
      net: { type: "OS::Neutron::Net" },
      port: { type: "OS::Neutron::Port", properties: { network: { get_resource: "net" } } },
      floating: {
        type: "OS::Neutron::FloatingIP",
        properties: { floating_network: "public", port_id: { get_resource: "port" } },
      },
      loose: { type: "OS::Neutron::FloatingIP", properties: { floating_network: "public" } },
      link: {
        type: "OS::Neutron::FloatingIPAssociation",
        properties: {
          floatingip_id: { get_resource: "loose" },
          port_id: { get_attr: ["web", "addresses", "private", 0, "port"] },
        },
      },
      web: server({ networks: [{ port: { get_resource: "port" } }, { network: "storage" }] }),
      db: server(),
    };
    const path = await create(world, "first", resources, {
      outputs: {
        ...firstAddress,
        private: { value: { get_attr: ["web", "networks", "private", 0] } },
        storage: { value: { get_attr: ["web", "networks", "storage", 0] } },
        port: { value: { get_attr: ["port", "fixed_ips", 0, "ip_address"] } },
        floating: { value: { get_attr: ["floating", "floating_ip_address"] } },
        fixed: { value: { get_attr: ["floating", "fixed_ip_address"] } },
        loose: { value: { get_attr: ["loose", "floating_ip_address"] } },
        db: { value: { get_attr: ["db", "first_address"] } },
      },
    });
    expect(await stackOf(world, path)).toEqual([
      "CREATE_COMPLETE",
      "Stack CREATE completed successfully",
    ]);
    expect(await outputs(world, path)).toEqual({
      first: "192.0.2.11",
      private: "192.0.2.11",
      storage: "10.9.0.11",
      port: "192.0.2.11",
      floating: "198.51.100.11",
      fixed: "192.0.2.11",
      loose: "198.51.100.11",
      db: "192.0.2.20",
    });
    expect(await taken(world)).toEqual(["db db", "web-1 web"]);
    expect(await reasonOf(world, path, "web")).toBe(
      "The machine web-1 of the inventory; ignored: image, flavor, networks",
    );
    expect(await reasonOf(world, path, "net")).toBe("A record: nothing was made");
  });

  it("is found by hints in its metadata before rules and names", async () => {
    const world = openWorld();
    const path = await create(
      world,
      "first",
      { web: server({ metadata: { hearth_labels: "role=data*" } }) },
      { outputs: firstAddress },
    );
    expect(await outputs(world, path)).toEqual({ first: "192.0.2.20" });
  });

  it("gets its deployments at the URL that its agent polls, and its signal ends them", async () => {
    const world = openWorld();
    const path = await createStack(world, "first", {
      template: template({
        web: server(),
        config: { type: "OS::Heat::SoftwareConfig", properties: { config: "true" } },
        deployment: {
          type: "OS::Heat::SoftwareDeployment",
          properties: { server: { get_resource: "web" }, config: { get_resource: "config" } },
        },
      }),
      environment: environment(),
    });
    while (world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now())) {
      await world.step();
    }
    expect((await stackOf(world, path))[0]).toBe("CREATE_IN_PROGRESS");
    const { body } = await world.send("GET", `${path}/resources/web`);
    const id = textAt(body, "resource", "physical_resource_id");
    const document = await world.send("GET", `/software_deployments/metadata/${id}`);
    const inputs = listAt(listAt(document.body, "metadata")[0] ?? null, "inputs");
    const signal = inputs.find((input) => at(input, "name") === "deploy_signal_id") ?? null;
    const { pathname, searchParams } = new URL(textAt(signal, "value"));
    await receiveSignal(world.ports, pathname.split("/").at(-1) ?? "", {
      method: "PUT",
      query: Object.fromEntries(searchParams),
      body: JSON.stringify({ deploy_status_code: 0 }),
    });
    await world.settle();
    expect((await stackOf(world, path))[0]).toBe("CREATE_COMPLETE");
  });

  it("tells its agent the id that a cloud would, unless the template has its own", async () => {
    const world = openWorld();
    const path = await create(world, "first", {
      web: server(),
      db: server({ metadata: { "instance-id": "i-7" } }),
    });
    const polled = async (name: string) => {
      const { body } = await world.send("GET", `${path}/resources/${name}`);
      const place = ["resource", "attributes", "os_collect_config", "request", "metadata_url"];
      const query = Object.fromEntries(new URL(textAt(body, ...place)).searchParams);
      const id = textAt(body, "resource", "physical_resource_id");
      const served = await serveMetadata(world.ports, id, { method: "GET", query });
      return [id, served.document?.["instance-id"]];
    };
    const [id, told] = await polled("web");
    expect(told).toBe(id);
    expect((await polled("db"))[1]).toBe("i-7");
  });

  it("has a wait condition beside it that finds its handle, and waits for a signal", async () => {
    const world = openWorld();
    const path = await create(world, "first", {
      handle: { type: "OS::Heat::WaitConditionHandle" },
      condition: {
        type: "OS::Heat::WaitCondition",
        properties: { handle: { get_resource: "handle" }, timeout: 60 },
      },
    });
    expect((await stackOf(world, path))[1]).toContain("resources.condition: 0 of 1 received");
  });

  it("has records beside it, also of old and retired names", async () => {
    const world = openWorld();
    const path = await create(world, "first", {
      net: { type: "OS::Quantum::Net" },
      image: { type: "OS::Glance::Image" },
      alarm: {
        type: "OS::Ceilometer::Alarm",
        properties: { meter_name: "cpu", threshold: 1, comparison_operator: "gt" },
      },
      group: { type: "AWS::EC2::SecurityGroup", properties: { GroupDescription: "web" } },
    });
    expect(await stackOf(world, path)).toEqual([
      "CREATE_COMPLETE",
      "Stack CREATE completed successfully",
    ]);
    expect(await reasonOf(world, path, "net")).toBe("A record: nothing was made");
    expect(await reasonOf(world, path, "alarm")).toBe("A record: nothing was made");
  });

  it("keeps its machine in an update of what is ignored, and gives it back at its delete", async () => {
    const world = openWorld();
    const path = await create(world, "first", { web: server() });
    const before = await world.ports.softwareConfigs.listTakenMachines("demo");
    await update(world, path, {
      web: server({ image: "other", key_name: "k", image_update_policy: "REPLACE" }),
    });
    expect(await stackOf(world, path)).toMatchObject(["UPDATE_COMPLETE", expect.anything()]);
    expect(await world.ports.softwareConfigs.listTakenMachines("demo")).toEqual(before);
    await remove(world, path);
    expect(await taken(world)).toEqual([]);
    const other = await create(world, "second", { web: server() });
    expect(await stackOf(world, other)).toMatchObject(["CREATE_COMPLETE", expect.anything()]);
  });

  it("gives back the machine that its port has taken before it", async () => {
    const world = openWorld();
    const port: JsonObject = { type: "OS::Neutron::Port", properties: { network: "private" } };
    const web = server({ networks: [{ port: { get_resource: "port" } }] });
    const path = await create(world, "first", { port, web });
    expect(await taken(world)).toEqual(["web-1 web"]);
    await update(world, path, { other: { type: "OS::Heat::RandomString" } });
    expect(await taken(world)).toEqual([]);
  });

  it("keeps its machine when one before it in the inventory becomes free", async () => {
    const world = openWorld();
    const first = await create(world, "first", { web: server() });
    const second = await create(world, "second", { web: server() });
    await remove(world, first);
    expect(await taken(world)).toEqual(["web-2 web"]);
    await update(world, second, { web: server({ flavor: "large" }) });
    expect(await taken(world)).toEqual(["web-2 web"]);
  });

  it("is replaced when its template asks for another machine", async () => {
    const world = openWorld();
    const path = await create(world, "first", { web: server() });
    expect(await taken(world)).toEqual(["web-1 web"]);
    await update(world, path, { web: server({ metadata: { hearth_machine: "db" } }) });
    expect(await stackOf(world, path)).toMatchObject(["UPDATE_COMPLETE", expect.anything()]);
    expect(await taken(world)).toEqual(["db web"]);
  });

  it("is checked, suspended and resumed", async () => {
    const world = openWorld();
    const path = await create(world, "first", { web: server(), net: { type: "OS::Neutron::Net" } });
    for (const action of ["check", "suspend", "resume"]) {
      await world.send("POST", `${path}/actions`, { [action]: null });
      await world.settle();
      expect((await stackOf(world, path))[0]).toBe(`${action.toUpperCase()}_COMPLETE`);
    }
  });
});

describe("machines of an inventory", () => {
  it("are each of one server, whatever the stack", async () => {
    const world = openWorld();
    await create(world, "first", { web_a: server(), web_b: server() });
    expect(await taken(world)).toHaveLength(2);
    const path = await create(world, "second", { web_c: server() });
    const [status, reason] = await stackOf(world, path);
    expect(status).toBe("CREATE_FAILED");
    expect(reason).toMatch(
      /No machine is free for the server web_c: web-[12] is taken \(server web_[ab] of the stack first\) and 1 more\./,
    );
  });

  it("are free again once their stack has been abandoned", async () => {
    const world = openWorld();
    const path = await create(world, "first", { db: server() });
    await world.send("DELETE", `${path}/abandon`);
    await world.settle();
    const other = await create(world, "second", { db: server() });
    expect((await stackOf(world, other))[0]).toBe("CREATE_COMPLETE");
    expect(await taken(world)).toEqual(["db db"]);
  });

  it("are free again once the template of their stack has no server that a port took one for", async () => {
    const world = openWorld();
    const path = await create(world, "first", {});
    const port: JsonObject = { type: "OS::Neutron::Port", properties: { network: "private" } };
    const fails: JsonObject = {
      type: "OS::Heat::TestResource",
      depends_on: "port",
      properties: { fail: true },
    };
    const db = {
      ...server({ networks: [{ port: { get_resource: "port" } }] }),
      depends_on: "fails",
    };
    await update(world, path, { port, fails, db });
    expect((await stackOf(world, path))[0]).toBe("UPDATE_FAILED");
    const early = await create(world, "early", { db: server() });
    expect(await reasonOf(world, early, "db")).toContain("db is taken (server db of ");
    await update(world, path, {});
    const other = await create(world, "second", { db: server() });
    expect((await stackOf(world, other))[0]).toBe("CREATE_COMPLETE");
  });

  it("reach the servers of nested stacks", async () => {
    const world = openWorld();
    const below = template({ web: server() }, { address: firstAddress.first });
    const path = await create(
      world,
      "first",
      { below: { type: "below.yaml" } },
      {
        files: { "below.yaml": JSON.stringify(below) },
        outputs: { address: { value: { get_attr: ["below", "address"] } } },
      },
    );
    expect(await outputs(world, path)).toEqual({ address: "192.0.2.11" });
  });
});

describe("an inventory that does not fit", () => {
  it.each<readonly [string, Json, string]>([
    [
      "is wrong",
      { machines: [{ name: "a", address: "no" }] },
      "machines[0].address: must be an IP address",
    ],
    [
      "has no machine for the server",
      { machines: [] },
      "No machine of the inventory fits the server other by its name.",
    ],
  ])("fails the server with the reason: it %s", async (_, inventory, why) => {
    const world = openWorld();
    const path = await create(world, "first", { other: server() }, { inventory });
    const [status, reason] = await stackOf(world, path);
    expect(status).toBe("CREATE_FAILED");
    expect(reason).toContain(why);
  });

  it("is missing: the server says how to give one", async () => {
    const world = openWorld();
    const path = await createStack(world, "first", {
      template: template({
        port: { type: "OS::Neutron::Port", properties: { network: "n" } },
        other: server({ networks: [{ port: { get_resource: "port" } }] }),
      }),
      environment: EXISTING_ENVIRONMENT,
    });
    await world.settle();
    const [status, reason] = await stackOf(world, path);
    expect(status).toBe("CREATE_FAILED");
    expect(reason).toContain("resources.port: The stack has no inventory of machines.");
  });
});

it("A type that no machine and no record stand for is refused with what to use instead", async () => {
  const world = openWorld();
  const { status, body } = await world.send("POST", "/stacks", {
    stack_name: "first",
    template: template({ secret: { type: "OS::Barbican::Secret" } }),
    environment: environment(),
  });
  expect(status).toBe(400);
  expect(textAt(body, "error", "message")).toContain(
    "No provider makes OS::Barbican::Secret here.",
  );
});
