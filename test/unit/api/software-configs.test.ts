import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const CONFIG = {
  name: "install",
  group: "script",
  config: "#!/bin/sh",
  inputs: [{ name: "port", type: "Number", default: "80" }],
  outputs: [{ name: "result" }],
  options: { a: 1 },
};

const created = async (world: World, config: JsonObject = CONFIG): Promise<string> =>
  textAt((await world.send("POST", "/software_configs", config)).body, "software_config", "id");

const deploy = async (world: World, changes: JsonObject = {}) => {
  const config_id = await created(world);
  const body = { config_id, server_id: "srv-1", action: "UPDATE", status: "IN_PROGRESS" };
  const answer = await world.send("POST", "/software_deployments", { ...body, ...changes });
  return { config_id, answer, id: textAt(answer.body, "software_deployment", "id") };
};

const messageOf = (body: Json): Json | undefined => at(body, "error", "message");

describe("software configs without a stack", () => {
  it("are created, listed, shown and deleted", async () => {
    const world = openWorld();
    const id = await created(world);
    const shown = await world.send("GET", `/software_configs/${id}`);
    const whole = {
      ...CONFIG,
      id,
      creation_time: expect.stringMatching(/^\d{4}-.*Z$/),
      inputs: [{ name: "port", type: "Number", default: 80 }],
      outputs: [{ name: "result", type: "String", error_output: false }],
    };
    expect(at(shown.body, "software_config")).toEqual(whole);
    const { id: _, ...second } = { ...CONFIG, id: 0, name: "second" };
    const other = await created(world, second);
    const { body } = await world.send("GET", "/software_configs");
    expect(listAt(body, "software_configs")).toHaveLength(2);
    const page = await world.send("GET", "/software_configs?limit=1&marker=none");
    const [first] = listAt(page.body, "software_configs");
    expect(Object.keys(isJsonObject(first) ? first : {})).toEqual([
      "id",
      "name",
      "group",
      "creation_time",
    ]);
    const rest = await world.send("GET", `/software_configs?marker=${String(at(first, "id"))}`);
    expect(listAt(rest.body, "software_configs").map((one) => at(one, "id"))).toEqual(
      [id, other].filter((one) => one !== at(first, "id")),
    );
    expect((await world.send("DELETE", `/software_configs/${id}`)).status).toBe(204);
    const gone = await world.send("GET", `/software_configs/${id}`);
    expect([gone.status, messageOf(gone.body)]).toEqual([
      404,
      `Software config with id ${id} not found`,
    ]);
  });

  it("are hidden from other tenants", async () => {
    const world = openWorld();
    const id = await created(world);
    expect((await world.send("GET", `/v1/other/software_configs/${id}`)).status).toBe(404);
    expect((await world.send("DELETE", `/v1/other/software_configs/${id}`)).status).toBe(404);
    const { body } = await world.send("GET", "/v1/other/software_configs");
    expect(listAt(body, "software_configs")).toEqual([]);
    const all = await world.send("GET", "/software_configs?global_tenant=true");
    expect(all.status).toBe(403);
  });

  it.each([
    [{ inputs: [{ name: "a", bogus: 1 }] }, "Property error: Unknown Property bogus"],
    [{ inputs: {} }, "Property error: Software Config I/O Schema must be in a list"],
    [{ name: 5 }, "name: Invalid input: expected string, received number"],
  ])("are refused for %j", async (changes, message) => {
    const { status, body } = await openWorld().send("POST", "/software_configs", changes);
    expect([status, messageOf(body)]).toEqual([400, message]);
  });

  it("are not deleted while a deployment uses them", async () => {
    const world = openWorld();
    const { config_id, id } = await deploy(world);
    const refused = await world.send("DELETE", `/software_configs/${config_id}`);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      400,
      `Software config with id ${config_id} can not be deleted as it is referenced.`,
    ]);
    await world.send("DELETE", `/software_deployments/${id}`);
    expect((await world.send("DELETE", `/software_configs/${config_id}`)).status).toBe(204);
  });
});

describe("software deployments without a stack", () => {
  it("are created, changed, listed and deleted", async () => {
    const world = openWorld();
    const { id, config_id, answer } = await deploy(world, { input_values: { port: 1 } });
    const whole = {
      id,
      config_id,
      server_id: "srv-1",
      action: "UPDATE",
      status: "IN_PROGRESS",
      status_reason: "",
      input_values: { port: 1 },
      output_values: {},
      creation_time: expect.any(String),
    };
    expect(at(answer.body, "software_deployment")).toEqual(whole);
    world.clock.advance(5_000);
    const next = await created(world, { name: "next" });
    const change = {
      status: "COMPLETE",
      status_reason: "done",
      output_values: { result: "r" },
      config_id: next,
      action: null,
    };
    const changed = await world.send("PUT", `/software_deployments/${id}`, change);
    const expected = { ...whole, ...change, action: "UPDATE", updated_time: expect.any(String) };
    expect(at(changed.body, "software_deployment")).toEqual(expected);
    for (const query of ["", "?server_id=srv-1"]) {
      const { body } = await world.send("GET", `/software_deployments${query}`);
      expect(listAt(body, "software_deployments")).toEqual([expected]);
    }
    const others = await world.send("GET", "/software_deployments?server_id=srv-2");
    expect(listAt(others.body, "software_deployments")).toEqual([]);
    expect((await world.send("DELETE", `/software_deployments/${id}`)).status).toBe(204);
    const gone = await world.send("GET", `/software_deployments/${id}`);
    expect([gone.status, messageOf(gone.body)]).toEqual([
      404,
      `Deployment with id ${id} not found`,
    ]);
  });

  it("show the configs of their server, in the order of names", async () => {
    const world = openWorld();
    await deploy(world);
    const config_id = await created(world, { ...CONFIG, name: "../a" });
    await world.send("POST", "/software_deployments", { config_id, server_id: "srv-1" });
    const { body } = await world.send("GET", "/software_deployments/metadata/srv-1");
    expect(listAt(body, "metadata")).toMatchObject([
      { name: "0..-a", id: config_id },
      { name: "install", group: "script", inputs: [{ name: "port", value: "" }] },
    ]);
  });

  it("need a server id that can be part of a key, and else leave no trace", async () => {
    const world = openWorld();
    const config_id = await created(world);
    const body = { config_id, server_id: "s".repeat(256) };
    const { status } = await world.send("POST", "/software_deployments", body);
    expect(status).toBe(400);
    expect(await world.ports.softwareConfigs.listDeploymentPlaces("demo")).toEqual([]);
  });

  it("need an existing config and a server", async () => {
    const world = openWorld();
    const body = { config_id: "nope", server_id: "srv-1" };
    const unknown = await world.send("POST", "/software_deployments", body);
    expect([unknown.status, messageOf(unknown.body)]).toEqual([
      400,
      "Data supplied was not valid: Config with id nope not found",
    ]);
    const { config_id } = await deploy(world);
    expect((await world.send("POST", "/software_deployments", { config_id })).status).toBe(400);
    const status = { config_id, server_id: "s", status: "DONE" };
    expect((await world.send("POST", "/software_deployments", status)).status).toBe(400);
  });

  it("are hidden from other tenants, and cannot be on another tenant's server", async () => {
    const world = openWorld();
    const { id } = await deploy(world);
    const theirs = "/v1/other/software_deployments";
    expect((await world.send("GET", `${theirs}/${id}`)).status).toBe(404);
    expect((await world.send("PUT", `${theirs}/${id}`, { action: "x" })).status).toBe(404);
    expect((await world.send("DELETE", `${theirs}/${id}`)).status).toBe(404);
    for (const query of ["", "?server_id=srv-1"]) {
      const { body } = await world.send("GET", `${theirs}${query}`);
      expect(listAt(body, "software_deployments")).toEqual([]);
    }
    const metadata = await world.send("GET", `${theirs}/metadata/srv-1`);
    expect(listAt(metadata.body, "metadata")).toEqual([]);
    const server = { tenant: "other", id: "v", stackId: "s", resourceName: "n", gen: 1 };
    await world.ports.softwareConfigs.putServer({ ...server, metadata: "" });
    const config_id = await created(world);
    const foreign = await world.send("POST", "/software_deployments", {
      config_id,
      server_id: "v",
    });
    expect(foreign.status).toBe(400);
  });
});

describe("a stack's deployment", () => {
  const TEMPLATE = {
    heat_template_version: "2016-10-14",
    resources: {
      server: { type: "OS::Heat::DeployedServer" },
      dep: {
        type: "OS::Heat::SoftwareDeployment",
        properties: { server: { get_resource: "server" }, input_values: { a: 1 } },
      },
    },
  };

  const begun = async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: TEMPLATE });
    while (world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now())) {
      await world.step();
    }
    const { body } = await world.send("GET", "/software_deployments");
    const one = listAt(body, "software_deployments")[0] ?? null;
    return { world, path, one, id: textAt(one, "id") };
  };

  it("is listed with the others, with its derived config", async () => {
    const { world, one, id } = await begun();
    expect(one).toMatchObject({
      status: "IN_PROGRESS",
      status_reason: "Deploy data available",
      action: "CREATE",
      input_values: { a: 1 },
    });
    expect((await world.send("GET", `/software_deployments/${id}`)).status).toBe(200);
    const derived = await world.send("GET", `/software_configs/${textAt(one, "config_id")}`);
    expect(at(derived.body, "software_config", "inputs", 0)).toMatchObject({ name: "a", value: 1 });
    const foreign = `/v1/other/software_configs/${textAt(one, "config_id")}`;
    expect((await world.send("GET", foreign)).status).toBe(404);
  });

  it.each([
    ["COMPLETE", "CREATE_COMPLETE"],
    ["FAILED", "CREATE_FAILED"],
  ])("is %s if a user sets it", async (status, stackStatus) => {
    const { world, path, id } = await begun();
    const url = `/software_deployments/${id}`;
    const result = { status, status_reason: "by hand", output_values: { deploy_stdout: "o" } };
    expect((await world.send("PUT", url, result)).status).toBe(200);
    await world.settle();
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "stack_status")).toBe(stackStatus);
    const shown = (await world.send("GET", url)).body;
    expect(at(shown, "software_deployment", "output_values", "deploy_stdout")).toBe("o");
  });

  it("refuses all other changes, and ends with the stack", async () => {
    const { world, path, id } = await begun();
    const url = `/software_deployments/${id}`;
    for (const change of [{ action: "x" }, { status: "IN_PROGRESS" }]) {
      expect((await world.send("PUT", url, change)).status).toBe(400);
    }
    await world.send("DELETE", path);
    await world.settle();
    expect((await world.send("GET", url)).status).toBe(404);
    expect(await world.ports.softwareConfigs.listDeploymentPlaces("demo")).toEqual([]);
  });
});
