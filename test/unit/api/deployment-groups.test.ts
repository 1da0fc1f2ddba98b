import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const templateOf = (names: readonly string[], changes: JsonObject = {}): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: { word: { type: "string", hidden: true, default: "s3cret" } },
  resources: {
    server_a: { type: "OS::Heat::DeployedServer" },
    server_b: { type: "OS::Heat::DeployedServer" },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh", outputs: [{ name: "result" }] },
    },
    group: {
      type: "OS::Heat::SoftwareDeploymentGroup",
      properties: {
        config: { get_resource: "config" },
        servers: Object.fromEntries(
          names.map((name) => [name, { get_resource: `server_${name === "0" ? "b" : "a"}` }]),
        ),
        input_values: { word: { get_param: "word" }, odd: { get_nothing: "x" } },
        ...changes,
      },
    },
  },
  outputs: {
    outs: { value: { get_attr: ["group", "deploy_stdouts"] } },
    result: { value: { get_attr: ["group", "result"] } },
  },
});

const runAgents = async (world: World): Promise<void> => {
  for (let rounds = 0; rounds < 20; rounds += 1) {
    while (world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now())) {
      await world.step();
    }
    const { body } = await world.send("GET", "/software_deployments");
    const waiting = listAt(body, "software_deployments").filter(
      (one) => at(one, "status") === "IN_PROGRESS",
    );
    if (waiting.length === 0) break;
    for (const one of waiting) {
      const output_values = { deploy_stdout: at(one, "action") ?? null, result: "r" };
      const result = { status: "COMPLETE", output_values };
      await world.send("PUT", `/software_deployments/${textAt(one, "id")}`, result);
    }
  }
  await world.settle();
};

const outputOf = (stack: Json, key: string): Json | undefined =>
  at(
    listAt(stack, "stack", "outputs").find((one) => at(one, "output_key") === key),
    "output_value",
  );

describe("a group of deployments", () => {
  it("deploys to every server, and has all outputs by server name", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: templateOf(["one", "0"]) });
    await runAgents(world);
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "stack_status")).toBe("CREATE_COMPLETE");
    expect(outputOf(body, "outs")).toEqual({ one: "CREATE", 0: "CREATE" });
    expect(outputOf(body, "result")).toEqual({ one: "r", 0: "r" });
    const deployments = (await world.send("GET", "/software_deployments")).body;
    expect(listAt(deployments, "software_deployments")[0]).toMatchObject({
      input_values: { word: "s3cret", odd: { get_nothing: "x" } },
    });
    expect(world.unexpected).toEqual([]);
  });

  it("updates, adds and removes members with the servers, and deletes them at its end", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: templateOf(["one", "two"]) });
    await runAgents(world);
    const template = templateOf(["two", "0"], { input_values: { word: "other" } });
    await world.send("PUT", path, { template });
    await runAgents(world);
    const { body } = await world.send("GET", path);
    expect(at(body, "stack", "stack_status")).toBe("UPDATE_COMPLETE");
    expect(outputOf(body, "outs")).toEqual({ two: "UPDATE", 0: "CREATE" });
    await world.send("DELETE", path);
    await runAgents(world);
    const left = (await world.send("GET", "/software_deployments")).body;
    expect(listAt(left, "software_deployments")).toEqual([]);
  });

  it("has its members in the template's order, whichever is the older", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: templateOf(["two"]) });
    await runAgents(world);
    const names = ["one", "two", "three"];
    await world.send("PUT", path, { template: templateOf(names) });
    await runAgents(world);
    const { body } = await world.send("GET", path);
    for (const key of ["outs", "result"]) {
      expect(Object.keys(outputOf(body, key) ?? {})).toEqual(names);
    }
  });

  it("shows a template with the values in their places, as Heat does", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: templateOf(["one"]) });
    await runAgents(world);
    const group = (await world.send("GET", `${path}/resources/group`)).body;
    const nested = listAt(group, "resource", "links").find((one) => at(one, "rel") === "nested");
    const below = textAt(nested ?? null, "href");
    const template = (await world.send("GET", `${below}/template`)).body;
    const { body } = await world.send("GET", `${path}/resources/server_a`);
    expect(template).toEqual({
      heat_template_version: "2015-04-30",
      resources: {
        one: {
          type: "OS::Heat::SoftwareDeployment",
          properties: {
            config: expect.any(String),
            input_values: "******",
            actions: ["CREATE", "UPDATE"],
            signal_transport: "CFN_SIGNAL",
            server: textAt(body, "resource", "physical_resource_id"),
          },
        },
      },
    });
    const environment = (await world.send("GET", `${below}/environment`)).body;
    expect(at(environment, "parameters")).toEqual({});
  });

  it("fails if one of them fails", async () => {
    const world = openWorld();
    const template = templateOf(["one"], { config: "nothing" });
    const path = await createStack(world, "app", { template });
    await world.settle();
    const reason = at((await world.send("GET", path)).body, "stack", "stack_status_reason");
    expect(reason).toContain("The Software Config (nothing) could not be found.");
  });

  it("substitutes inputs in structured data, also under the old type name", async () => {
    const world = openWorld();
    const template = {
      heat_template_version: "2016-10-14",
      resources: {
        server: { type: "OS::Heat::DeployedServer" },
        config: {
          type: "OS::Heat::StructuredConfig",
          properties: { group: "json-file", config: { a: { get_input: "x" } } },
        },
        group: {
          type: "OS::Heat::StructuredDeployments",
          properties: {
            config: { get_resource: "config" },
            servers: { one: { get_resource: "server" } },
            input_values: { x: [1] },
          },
        },
      },
    };
    await createStack(world, "app", { template });
    while (world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now())) {
      await world.step();
    }
    const { body } = await world.send("GET", "/software_deployments");
    const server = textAt(listAt(body, "software_deployments")[0] ?? null, "server_id");
    const metadata = (await world.send("GET", `/software_deployments/metadata/${server}`)).body;
    expect(listAt(metadata, "metadata")).toMatchObject([{ config: { a: [1] } }]);
  });
});
