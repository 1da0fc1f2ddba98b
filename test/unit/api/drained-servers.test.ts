/** A server that leaves is drained first if its deployment is in a group over the servers. */
import { describe, expect, it } from "vitest";
import { providerCall } from "#lib/convergence/provider-call.ts";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { deploymentsAround } from "#lib/resources/software/deployments-around.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const templateOf = (count: number, more: JsonObject = {}, member: JsonObject = {}): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    servers: {
      type: "OS::Heat::ResourceGroup",
      properties: {
        count,
        resource_def: { type: "OS::Heat::DeployedServer", properties: member },
      },
    },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh" },
    },
    drain: {
      type: "OS::Heat::SoftwareDeploymentGroup",
      properties: {
        config: { get_resource: "config" },
        servers: { get_attr: ["servers", "refs_map"] },
        actions: ["DELETE"],
      },
    },
    ...more,
  },
});

const deployments = async (world: World): Promise<readonly Json[]> =>
  listAt((await world.send("GET", "/software_deployments")).body, "software_deployments");
const draining = async (world: World): Promise<readonly Json[]> =>
  (await deployments(world)).filter(
    (one) => at(one, "action") === "DELETE" && at(one, "status") === "IN_PROGRESS",
  );
const statusOf = async (world: World, path: string): Promise<Json | undefined> =>
  at((await world.send("GET", path)).body, "stack", "stack_status");
const answer = async (world: World, one: Json | undefined, status = "COMPLETE"): Promise<void> => {
  const result =
    status === "COMPLETE" ? { status } : { status, status_reason: "it cannot be drained" };
  await world.send("PUT", `/software_deployments/${textAt(one ?? null, "id")}`, result);
  await world.goOn();
};
const reasonsOf = async (world: World, path: string): Promise<string> =>
  listAt((await world.send("GET", `${path}/events?nested_depth=5`)).body, "events")
    .map((event) => String(at(event, "resource_status_reason")))
    .join("\n");

/** Each server polls, because a server that has never polled has nothing to undo. */
const pollAll = async (world: World, path: string): Promise<void> => {
  const { body } = await world.send("GET", `${path}/resources?nested_depth=2`);
  for (const one of listAt(body, "resources")) {
    if (at(one, "resource_type") !== "OS::Heat::DeployedServer") continue;
    const id = textAt(one, "physical_resource_id");
    const server = present(await world.ports.softwareConfigs.getServer(id), "the server");
    const query = Object.fromEntries(new URL(metadataUrl(world.ports, server)).searchParams);
    await serveMetadata(world.ports, id, { method: "GET", query });
  }
};

const started = async (body: JsonObject = { template: templateOf(2) }) => {
  const world = openWorld();
  const path = await createStack(world, "app", body);
  await world.settle();
  expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
  await pollAll(world, path);
  return { world, path };
};
const update = async (world: World, path: string, body: JsonObject): Promise<void> => {
  expect((await world.send("PUT", path, body)).status).toBe(202);
  await world.pass(60_000);
};

const endsWithout = async (world: World, path: string, server: string): Promise<void> => {
  expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
  expect(await world.ports.softwareConfigs.getServer(server)).toBeNull();
  expect(await reasonsOf(world, path)).not.toContain("without an answer");
  await world.send("DELETE", path);
  await world.goOn();
  for (const left of await draining(world)) await answer(world, left);
  await world.pass(60_000);
  expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
};

describe("a group of servers that is scaled from 2 to 1", () => {
  it("drains the server before it goes", async () => {
    const { world, path } = await started();
    await update(world, path, { template: templateOf(1) });
    const [one] = await draining(world);
    const server = textAt(one ?? null, "server_id");
    expect(await world.ports.softwareConfigs.getServer(server)).not.toBeNull();
    expect(await statusOf(world, path)).toBe("UPDATE_IN_PROGRESS");
    await answer(world, one);
    await world.pass(60_000);
    await endsWithout(world, path, server);
  });

  it("drains it in the order of two groups of deployments, and both before it goes", async () => {
    const more = {
      second: {
        type: "OS::Heat::SoftwareDeploymentGroup",
        properties: {
          config: { get_resource: "config" },
          servers: { get_attr: ["servers", "refs_map"] },
          actions: ["DELETE"],
        },
      },
    };
    const { world, path } = await started({ template: templateOf(2, more) });
    await update(world, path, { template: templateOf(1, more) });
    const both = await draining(world);
    expect(both).toHaveLength(2);
    await answer(world, both[0]);
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_IN_PROGRESS");
    await answer(world, both[1]);
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
  });

  it("fails and keeps the server if it cannot be drained, and the next update tries again", async () => {
    const { world, path } = await started();
    await update(world, path, { template: templateOf(1) });
    const [one] = await draining(world);
    await answer(world, one, "FAILED");
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_FAILED");
    const server = textAt(one ?? null, "server_id");
    expect(await world.ports.softwareConfigs.getServer(server)).not.toBeNull();
    await update(world, path, { template: templateOf(1) });
    const [again] = await draining(world);
    await answer(world, again);
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
  });

  it("waits for the script when another update comes meanwhile", async () => {
    const { world, path } = await started();
    await update(world, path, { template: templateOf(1) });
    const [one] = await draining(world);
    const note = { note: { type: "OS::Heat::TestResource", properties: { value: "1" } } };
    await update(world, path, { template: templateOf(1, note) });
    expect((await draining(world)).map((left) => at(left, "id"))).toEqual([at(one ?? null, "id")]);
    expect(await statusOf(world, path)).toBe("UPDATE_IN_PROGRESS");
    await answer(world, one);
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
  });
});

const rowsRead = async (world: World): Promise<number> => {
  const { store } = world.ports;
  const { listRows } = store;
  let read = 0;
  store.listRows = async (...given) => {
    const page = await listRows(...given);
    read += page.rows.length;
    return page;
  };
  await world.pass(60_000);
  return read;
};

describe("many servers that go at once", () => {
  it("are drained at the same time, and one that cannot be drained stays alone", async () => {
    const { world, path } = await started({ template: templateOf(6) });
    await update(world, path, { template: templateOf(1) });
    const [bad, ...others] = await draining(world);
    expect(others).toHaveLength(4);
    await answer(world, bad, "FAILED");
    await world.pass(60_000);
    expect(await draining(world)).toEqual(others);
    for (const one of others) await answer(world, one);
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_FAILED");
    const { getServer } = world.ports.softwareConfigs;
    expect(await getServer(textAt(bad ?? null, "server_id"))).not.toBeNull();
    for (const one of others) expect(await getServer(textAt(one, "server_id"))).toBeNull();
    expect((await deployments(world)).filter((one) => at(one, "status") === "FAILED")).toHaveLength(
      1,
    );
  });

  it("find a deployment that was made since another one has read", async () => {
    const { world } = await started();
    const { ports, store } = world;
    const rows = (
      await Promise.all(
        (await store.listStacksById("demo", null, 9)).map(({ id }) => store.listResources(id)),
      )
    ).flat();
    const rowOf = (type: string) =>
      present(
        rows.find((row) => row.type === type && row.name === "0"),
        type,
      );
    const row = rowOf("OS::Heat::DeployedServer");
    const deployment = rowOf("OS::Heat::SoftwareDeployment");
    const stack = present(await store.getStack("demo", row.stackId), "its stack");
    const setType = (type: string) => store.writeResource(deployment, [], { set: { type } });
    await setType("OS::Heat::None");
    expect(await deploymentsAround(ports, "demo", stack.id)).toHaveLength(1);
    await setType(deployment.type);
    const type = present(await ports.resourceTypes.get(row.type), row.type);
    const now = ports.clock.now();
    const call = await providerCall(ports, stack, row, {
      traversalId: stack.traversalId,
      isUpdate: false,
      action: "DELETE",
      generation: row.generation + 1,
      startedAt: now,
      deadline: now + 3_600_000,
      handle: null,
      type: row.type,
      templateId: present(row.templateId, "its template"),
      properties: present(row.properties, "its properties"),
      requires: [],
      before: { action: row.action, status: row.status, statusReason: "" },
    });
    const answered = await type.lifecycle.handleDelete?.(call, resourceContext(ports, row));
    expect(answered?.state).toBe("waiting");
  });

  it("read the same rows once for all of them", async () => {
    const reads: number[] = [];
    for (const count of [10, 40]) {
      const { world, path } = await started({ template: templateOf(count + 1) });
      await update(world, path, { template: templateOf(1) });
      expect(await draining(world)).toHaveLength(count);
      reads.push(await rowsRead(world));
    }
    const [few = 0, many = 0] = reads;
    expect(many).toBeLessThanOrEqual(4 * few);
  });
});

describe("a delete of the stack that comes while a server is drained", () => {
  it("runs the script of that server and of the others, each before its server goes", async () => {
    const { world, path } = await started();
    await update(world, path, { template: templateOf(1) });
    const [one] = await draining(world);
    await world.send("DELETE", path);
    await world.pass(60_000);
    const both = await draining(world);
    expect(both).toHaveLength(2);
    expect(both).toContainEqual(one);
    for (const left of both) {
      const server = textAt(left, "server_id");
      expect(await world.ports.softwareConfigs.getServer(server)).not.toBeNull();
      await answer(world, left);
    }
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await reasonsOf(world, path)).not.toContain("without an answer");
  });
});

/** Users write members like this: each one finds its server by its own index. */
const memberWith = (more: JsonObject = {}): JsonObject => ({
  heat_template_version: "2018-08-31",
  parameters: { servers: { type: "json" }, index: { type: "string" }, config: { type: "string" } },
  resources: {
    note: { type: "OS::Heat::TestResource", properties: { value: "1" } },
    drain: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_param: "config" },
        server: { get_param: ["servers", { get_param: "index" }] },
        actions: ["DELETE"],
      },
    },
    last: {
      type: "OS::Heat::TestResource",
      depends_on: "drain",
      properties: { value: { get_resource: "note" } },
    },
    ...more,
  },
  outputs: { drain: { value: { get_resource: "drain" } } },
});
const twoGroups = (count: number, member: JsonObject = memberWith()): JsonObject => ({
  template: templateOf(count, {
    drain: {
      type: "OS::Heat::ResourceGroup",
      properties: {
        count,
        resource_def: {
          type: "drain.yaml",
          properties: {
            servers: { get_attr: ["servers", "refs_map"] },
            index: "%index%",
            config: { get_resource: "config" },
          },
        },
      },
    },
  }),
  files: { "drain.yaml": JSON.stringify(member) },
});

describe("a group of deployments whose own delete has failed", () => {
  it("is deleted again before one of its servers goes", async () => {
    const { world, path } = await started();
    const withoutGroup = templateOf(2, { drain: { type: "OS::Heat::TestResource" } });
    await update(world, path, { template: withoutGroup });
    for (const one of await draining(world)) await answer(world, one, "FAILED");
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_FAILED");
    await update(world, path, { template: templateOf(1) });
    expect(await statusOf(world, path)).toBe("UPDATE_IN_PROGRESS");
    for (let round = 0; round < 3; round += 1) {
      for (const one of await draining(world)) await answer(world, one);
      await world.pass(60_000);
    }
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(await reasonsOf(world, path)).not.toContain("without an answer");
  });
});

describe("two groups, of servers and of their deployments", () => {
  it("drains the server of a member before it goes", async () => {
    const { world, path } = await started(twoGroups(2));
    await update(world, path, twoGroups(1));
    const [one, ...others] = await draining(world);
    expect(others).toEqual([]);
    const server = textAt(one ?? null, "server_id");
    expect(await world.ports.softwareConfigs.getServer(server)).not.toBeNull();
    await answer(world, one);
    await world.pass(60_000);
    await endsWithout(world, path, server);
  });
});

describe("a deployment that cannot be deleted before its server", () => {
  const single = (member: string, more: JsonObject = {}): JsonObject => ({
    drain: {
      ...more,
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_attr: ["servers", member] },
        actions: ["DELETE"],
      },
    },
  });
  const WHY = /The DELETE script of drain .* run, because its server 1 goes before it/;
  const warningsOf = async (world: World, path: string, template: JsonObject) =>
    at((await world.send("PUT", `${path}/preview`, { template })).body, "warnings");

  it("is named in its event, in the preview and in the validation", async () => {
    const template = templateOf(2, single("resource.1"));
    const { world, path } = await started({ template });
    const { body } = await world.send("POST", "/validate", { template });
    expect(at(body, "Warnings")).toEqual([
      expect.stringContaining("drain does not run if an update of servers removes"),
    ]);
    const kept = templateOf(1, single("resource.0"));
    expect(await warningsOf(world, path, kept)).toEqual([expect.stringMatching(WHY)]);
    expect(await warningsOf(world, path, template)).toEqual([]);
    await update(world, path, { template: kept });
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(await reasonsOf(world, path)).toMatch(
      /DELETE ended without an answer: its server .* was deleted before, so its script did not run/,
    );
  });

  it("is named where other resources of its stack read it", async () => {
    const properties = { value: { get_resource: "drain" } };
    const member = memberWith({ reader: { type: "OS::Heat::TestResource", properties } });
    const { world, path } = await started(twoGroups(2, member));
    const { body } = await world.send("PUT", `${path}/preview`, twoGroups(1, member));
    expect(at(body, "warnings")).toEqual([expect.stringMatching(WHY)]);
    await update(world, path, twoGroups(1, member));
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(await reasonsOf(world, path)).toContain("so its script did not run");
  });

  it("is deleted first, without a warning, if the update removes it too", async () => {
    const slow = {
      type: "OS::Heat::TestResource",
      depends_on: "drain",
      properties: { value: "1", action_wait_secs: { delete: 120 } },
    };
    const both = (more: JsonObject) => ({
      ...single("resource.1", more),
      slow: { ...slow, ...more },
    });
    const { world, path } = await started({ template: templateOf(2, both({})) });
    const gone = templateOf(1, both({ condition: false }));
    expect(await warningsOf(world, path, gone)).toEqual([]);
    await update(world, path, { template: gone });
    expect(await draining(world)).toEqual([]);
    await world.pass(120_000);
    const [one] = await draining(world);
    await answer(world, one);
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(await reasonsOf(world, path)).not.toContain("without an answer");
  });

  it("has no warning where a group of deployments is drained", async () => {
    const { world, path } = await started(twoGroups(2));
    const { body } = await world.send("PUT", `${path}/preview`, twoGroups(1));
    expect(at(body, "warnings")).toEqual([]);
    expect(at((await world.send("POST", "/validate", twoGroups(2))).body, "Warnings")).toBe(
      undefined,
    );
  });
});
