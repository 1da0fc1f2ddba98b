import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { messageOf, waitingDeployment } from "./deployment-world.ts";
import { poll } from "./polls.ts";

const MINUTE_MS = 60_000;

const common: JsonObject = {
  server: { type: "OS::Heat::DeployedServer" },
  config: {
    type: "OS::Heat::SoftwareConfig",
    properties: { group: "script", config: "#!/bin/sh" },
  },
};

/** The single deployment and the group run only in DELETE, so nothing waits before. */
const SINGLE: JsonObject = {
  type: "OS::Heat::SoftwareDeployment",
  properties: {
    config: { get_resource: "config" },
    server: { get_resource: "server" },
    actions: ["DELETE"],
  },
};
const GROUP: JsonObject = {
  type: "OS::Heat::SoftwareDeploymentGroup",
  properties: {
    config: { get_resource: "config" },
    servers: { one: { get_resource: "server" } },
    actions: ["DELETE"],
  },
};

const created = async (dep: JsonObject = SINGLE) => {
  const world = openWorld();
  const template = { heat_template_version: "2016-10-14", resources: { ...common, dep } };
  const path = await createStack(world, "app", { template });
  await world.settle();
  return { world, path };
};

const statusOf = async (world: World, path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const reasonsOf = async (world: World, path: string): Promise<readonly Json[]> => {
  const { body } = await world.send("GET", `${path}/events?nested_depth=3`);
  return listAt(body, "events").map((event) => at(event, "resource_status_reason") ?? null);
};

const boot = (world: World, path: string): Promise<void> => poll(world, path, { boot: "begun" });

describe("the delete of a deployment whose server was never seen", () => {
  it.each([
    ["a deployment", SINGLE],
    ["a group, in its nested stack", GROUP],
  ])("ends at once and says why: %s", async (_, dep) => {
    const { world, path } = await created(dep);
    await world.send("DELETE", path);
    await world.goOn();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await reasonsOf(world, path)).toContain(
      "DELETE ended without an answer: its server has never polled, so nothing ran there and there is nothing to undo",
    );
  });

  it("ends at once where it overtakes the CREATE", async () => {
    const { world, path, goOn: drain } = await waitingDeployment({ actions: ["CREATE", "DELETE"] });
    await world.send("DELETE", path);
    await drain();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });

  it("waits where a result was set by hand, because that may tell of a run", async () => {
    const {
      world,
      path,
      url,
      goOn: drain,
    } = await waitingDeployment({
      actions: ["CREATE", "DELETE"],
    });
    await world.send("PUT", url, { status: "COMPLETE", output_values: {} });
    await drain();
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
    await world.send("DELETE", path);
    await drain();
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
  });
});

describe("the delete of a deployment whose server has booted and never polled", () => {
  it("ends after ten minutes and says why", async () => {
    const { world, path } = await created();
    await boot(world, path);
    await world.send("DELETE", path);
    await world.pass(9.5 * MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
    await world.pass(1 * MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await reasonsOf(world, path)).toContain(
      "DELETE ended without an answer: server server has never polled in 10 minutes; it ran nothing, so there is nothing to undo",
    );
  });

  it("says how it can be given up, and a cancel says that a delete has none", async () => {
    const { world, path } = await created();
    await boot(world, path);
    await world.send("DELETE", path);
    await world.goOn();
    const row = await world.send("GET", `${path}/resources/dep`);
    expect(textAt(row.body, "resource", "resource_status_reason")).toContain(
      "hearth stack delete --abandon-unreachable",
    );
    const id = textAt(row.body, "resource", "physical_resource_id");
    const { body } = await world.send("GET", `/software_deployments/${id}/diagnosis`);
    expect(listAt(body, "diagnosis", "verdict", "advice")).toContainEqual(
      expect.stringContaining("--abandon-unreachable"),
    );
    const cancel = await world.send("POST", `${path}/actions`, { cancel_update: null });
    expect([cancel.status, messageOf(cancel.body)]).toEqual([
      400,
      expect.stringContaining("DELETE_IN_PROGRESS"),
    ]);
    expect(messageOf(cancel.body)).toContain("--abandon-unreachable");
  });

  it.each([
    ["a deployment", SINGLE],
    ["a group, in its nested stack", GROUP],
  ])("ends at once on request: %s", async (_, dep) => {
    const { world, path } = await created(dep);
    await boot(world, path);
    await world.send("DELETE", `${path}?abandon_unreachable=true`);
    await world.pass(MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await reasonsOf(world, path)).toContain(
      "DELETE ended without an answer: server server has never polled, and the user gave it up",
    );
  });

  it.each([
    ["a deployment", SINGLE],
    ["a group, in its nested stack", GROUP],
  ])("ends at once if the running delete is said again with that: %s", async (_, dep) => {
    const { world, path } = await created(dep);
    await boot(world, path);
    await world.send("DELETE", path);
    await world.pass(MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
    await world.send("DELETE", `${path}?abandon_unreachable=true`);
    await world.goOn();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });
});

describe("a server that polls", () => {
  it("is waited for until it has missed ten polls", async () => {
    const { world, path } = await created();
    await poll(world, path);
    await world.send("DELETE", `${path}?abandon_unreachable=true`);
    await world.pass(4 * MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
    await world.pass(2 * MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await reasonsOf(world, path)).toContainEqual(
      expect.stringMatching(/server server was last seen .* ago, and the user gave it up$/),
    );
  });

  it("may run what it has fetched for half an hour, and nobody is asked to give it up", async () => {
    const { world, path } = await created();
    await boot(world, path);
    await world.send("DELETE", `${path}?abandon_unreachable=true`);
    await poll(world, path);
    await world.goOn();
    await poll(world, path);
    await world.pass(25 * MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
    const row = await world.send("GET", `${path}/resources/dep`);
    expect(textAt(row.body, "resource", "resource_status_reason")).not.toContain("--abandon");
    await world.pass(6 * MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });

  it("that has polled once is not given up by the bounded wait", async () => {
    const { world, path } = await created();
    await poll(world, path);
    await world.send("DELETE", path);
    await world.pass(50 * MINUTE_MS);
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
  });
});

describe("one deployment is abandoned", () => {
  it("if its DELETE waits for an unreachable server", async () => {
    const { world, path } = await created();
    await boot(world, path);
    await world.send("DELETE", path);
    await world.goOn();
    const { body } = await world.send("GET", "/software_deployments");
    const id = textAt(listAt(body, "software_deployments")[0] ?? null, "id");
    expect((await world.send("POST", `/software_deployments/${id}/abandon`)).status).toBe(202);
    await world.goOn();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await reasonsOf(world, path)).toContain(
      `Abandoned: deployment ${id}: server server has never polled`,
    );
  });

  it("but not while its server can be reached", async () => {
    const { world, path } = await created();
    await poll(world, path);
    await world.send("DELETE", path);
    await world.goOn();
    const { body } = await world.send("GET", "/software_deployments");
    const id = textAt(listAt(body, "software_deployments")[0] ?? null, "id");
    const refused = await world.send("POST", `/software_deployments/${id}/abandon`);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      expect.stringContaining("its server can be reached: published"),
    ]);
  });

  it("but not in another action than DELETE", async () => {
    const site = await waitingDeployment();
    const refused = await site.world.send("POST", `${site.url}/abandon`);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      expect.stringContaining("waits for the result of its CREATE: only a DELETE"),
    ]);
  });
});
