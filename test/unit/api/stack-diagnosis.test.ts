import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const VERSION = { heat_template_version: "2018-08-31" };

const causesOf = async (world: World, stack: string) => {
  const { body, status } = await world.send("GET", `${stack}/diagnosis`);
  expect(status).toBe(200);
  return Object.fromEntries(
    listAt(body, "diagnosis", "resources").map((one) => [
      textAt(one, "resource_name"),
      isJsonObject(one) ? one["cause"] : null,
    ]),
  );
};

const steps = async (world: World, count: number): Promise<void> => {
  for (let step = 0; step < count; step += 1) if (!(await world.step())) return;
};

describe("the diagnosis of a stack", () => {
  it("tells of deployments, of what waits for them, and of stacks that hold them", async () => {
    const world = openWorld();
    const inner = {
      ...VERSION,
      resources: {
        web: { type: "OS::Heat::DeployedServer" },
        script: {
          type: "OS::Heat::SoftwareConfig",
          properties: { group: "script", config: "#!/bin/sh" },
        },
        run: {
          type: "OS::Heat::SoftwareDeployment",
          properties: { config: { get_resource: "script" }, server: { get_resource: "web" } },
        },
      },
    };
    const stack = await createStack(world, "app", {
      files: { "inner.yaml": JSON.stringify(inner) },
      template: {
        ...VERSION,
        resources: {
          below: { type: "inner.yaml" },
          after: { type: "OS::Heat::None", depends_on: "below" },
        },
      },
    });
    await steps(world, 40);
    const causes = await causesOf(world, stack);
    expect(Object.keys(causes).toSorted()).toEqual(["after", "below", "run"]);
    expect(causes["run"]).toMatchObject({ kind: "deployment" });
    expect(JSON.stringify(causes["run"])).toContain("server web has");
    expect(causes["below"]).toMatchObject({ kind: "nested", certain: true });
    expect(causes["after"]).toMatchObject({
      kind: "requirements",
      summary: "it waits for below",
      next_poll: null,
    });
  });

  const waitFor = (handle: JsonObject) => ({ handle, count: 2, timeout: 43_200 });
  // A long property is sealed against its template: here the URL of a handle.
  it.each<readonly [string, JsonObject, JsonObject | null]>([
    // The handle accepts texts by its URL only.
    ["OS::Heat::SwiftSignal", waitFor({ get_resource: "handle" }), null],
    [
      "OS::Heat::WaitCondition",
      waitFor({ get_resource: "handle" }),
      { status: "SUCCESS", id: "1", data: "", reason: "" },
    ],
    [
      "AWS::CloudFormation::WaitCondition",
      { Handle: { get_resource: "handle" }, Count: 2, Timeout: 43_200 },
      { Status: "SUCCESS", UniqueId: "1", Data: "", Reason: "" },
    ],
  ])("counts the signals of %s", async (type, properties, signal) => {
    const world = openWorld();
    const stack = await createStack(world, "app", {
      template: {
        ...VERSION,
        resources: { handle: { type: `${type}Handle` }, wait: { type, properties } },
      },
    });
    await steps(world, 10);
    expect(JSON.stringify((await causesOf(world, stack))["wait"])).toContain("0 of 2 signals");
    if (signal !== null) await world.send("POST", `${stack}/resources/handle/signal`, signal);
    const said = `${signal === null ? 0 : 1} of 2 signals`;
    expect(JSON.stringify((await causesOf(world, stack))["wait"])).toContain(said);
    const { body } = await world.send("GET", `${stack}/resources/wait`);
    expect(textAt(body, "resource", "resource_status_reason")).toContain(said);
  });

  it("tells of a hook and how to clear it, and nothing of what is complete", async () => {
    const world = openWorld();
    const stack = await createStack(world, "app", {
      environment: { resource_registry: { resources: { gate: { hooks: "pre-create" } } } },
      template: {
        ...VERSION,
        resources: { gate: { type: "OS::Heat::None" }, done: { type: "OS::Heat::None" } },
      },
    });
    await steps(world, 40);
    expect(await causesOf(world, stack)).toEqual({
      gate: {
        kind: "hook",
        stage: null,
        certain: true,
        summary: "it waits at the hook pre-create until a user clears it",
        advice: ["let it go on: `hearth stack hook clear app gate pre-create`"],
        next_poll: null,
      },
    });
  });

  const replaceable = (properties: JsonObject) => ({
    template: {
      ...VERSION,
      resources: { a: { type: "OS::Heat::TestResource", properties } },
    },
  });

  it("tells of the removal of a replaced resource, on which the stack waits", async () => {
    const world = openWorld();
    const slow = { action_wait_secs: { delete: 60 } };
    const stack = await createStack(world, "app", replaceable(slow));
    await world.settle();
    const next = { ...slow, update_replace: true };
    await world.send("PUT", stack, replaceable(next));
    let causes: Awaited<ReturnType<typeof causesOf>> = {};
    while (causes["a"] === undefined || !JSON.stringify(causes).includes("DELETE since")) {
      expect(await world.step()).toBe(true);
      causes = await causesOf(world, stack);
    }
    expect(causes).toEqual({
      a: expect.objectContaining({
        kind: "provider",
        summary: expect.stringMatching(
          /^the former one, which is to be removed: its provider has not finished; DELETE since/,
        ),
      }),
    });
    await world.settle();
    expect(await causesOf(world, stack)).toEqual({});
  });

  it("tells of the replacement that has failed, although the former resource is well", async () => {
    const world = openWorld();
    const stack = await createStack(world, "app", replaceable({ value: "1" }));
    await world.settle();
    await world.send("PUT", stack, replaceable({ fail: true, update_replace: true }));
    await world.settle();
    expect(await causesOf(world, stack)).toEqual({
      a: expect.objectContaining({
        kind: "failed",
        summary: "the one that should replace it: ValueError: resources.a: Test Resource failed a",
      }),
    });
    await world.send("PUT", stack, replaceable({ value: "2" }));
    await world.settle();
    expect(await causesOf(world, stack)).toEqual({});
  });
});
