/** A server that its provider reports as gone cannot answer, so nothing waits for it. */
import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { poll } from "./polls.ts";

const SERVER = "OS::Heat::DeployedServer";
const GONE = "The object (container) could not be found.";

const template = (actions: readonly string[], more: JsonObject = {}): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    server: { type: SERVER },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh" },
    },
    dep: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "server" },
        actions: [...actions],
        ...more,
      },
    },
  },
});

const openServers = async (actions: readonly string[]) => {
  const gone = { isGone: false };
  let looks = 0;
  const world = openWorld((types) => ({
    ...types,
    get: async (name) => {
      const type = await types.get(name);
      if (name !== SERVER || type === null) return type;
      const handleCheck = async () => {
        looks += 1;
        return gone.isGone
          ? ({ state: "failed", reason: GONE, health: "gone" } as const)
          : ({ state: "finished" } as const);
      };
      return { ...type, lifecycle: { ...type.lifecycle, handleCheck } };
    },
  }));
  const path = await createStack(world, "app", { template: template(actions) });
  await world.goOn();
  await poll(world, path);
  return { world, path, gone, looks: () => looks };
};

const statusOf = async (world: World, path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const reasonsOf = async (world: World, path: string): Promise<readonly Json[]> =>
  listAt((await world.send("GET", `${path}/events`)).body, "events").map(
    (event) => at(event, "resource_status_reason") ?? null,
  );

const act = (world: World, path: string, verb: string) =>
  world.send("POST", `${path}/actions`, { [verb]: null });

describe("a server that a check has found gone", () => {
  it("leaves its DELETE script out, and the update ends at once", async () => {
    const { world, path, gone } = await openServers(["DELETE"]);
    const before = textAt(
      (await world.send("GET", `${path}/resources/server`)).body,
      "resource",
      "physical_resource_id",
    );
    gone.isGone = true;
    await act(world, path, "check");
    await world.goOn();
    expect(await statusOf(world, path)).toBe("CHECK_FAILED");
    gone.isGone = false;
    await world.send("PATCH", path, {});
    await world.pass(30_000);
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(await reasonsOf(world, path)).toContain(
      `DELETE ended without an answer: its server ${before} is gone: ${GONE}`,
    );
  });

  it("leaves it out of a delete of the stack too", async () => {
    const { world, path, gone } = await openServers(["DELETE"]);
    gone.isGone = true;
    await act(world, path, "check");
    await world.goOn();
    await world.send("DELETE", path);
    await world.pass(30_000);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });

  it("fails a script that waits for it, with this reason", async () => {
    const { world, path, gone } = await openServers(["RESUME"]);
    await act(world, path, "suspend");
    await world.settle();
    gone.isGone = true;
    await act(world, path, "check");
    await world.settle();
    await act(world, path, "resume");
    await world.pass(30_000);
    expect(await statusOf(world, path)).toBe("RESUME_FAILED");
    const { body } = await world.send("GET", `${path}/resources/dep`);
    expect(textAt(body, "resource", "resource_status_reason")).toMatch(
      /^Error: resources\.dep: Deployment to server failed: its server .* is gone: The object/,
    );
  });
});

describe("a server whose end nobody has seen", () => {
  it("is looked at when a user does not want to wait for what cannot be reached", async () => {
    const { world, path, gone } = await openServers(["DELETE"]);
    gone.isGone = true;
    await world.send("DELETE", `${path}?abandon_unreachable=true`);
    await world.pass(30_000);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });

  it("is looked at when it has been silent for long", async () => {
    const { world, path, gone, looks } = await openServers(["DELETE"]);
    gone.isGone = true;
    await world.send("DELETE", path);
    await world.pass(120_000);
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
    expect(looks()).toBe(0);
    await world.pass(300_000);
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });

  it("is waited for while its provider says that it is there", async () => {
    const { world, path, looks } = await openServers(["DELETE"]);
    await world.send("DELETE", `${path}?abandon_unreachable=true`);
    await world.pass(60_000);
    expect(await statusOf(world, path)).toBe("DELETE_IN_PROGRESS");
    expect(looks()).toBeGreaterThan(0);
  });
});

it("the advice prints the whole command that gives up one DELETE", async () => {
  const { world, path } = await openServers(["DELETE"]);
  await world.send("DELETE", path);
  await world.pass(400_000);
  const { body } = await world.send("GET", `${path}/resources/dep`);
  const id = textAt(body, "resource", "physical_resource_id");
  const { body: found } = await world.send("GET", `/software_deployments/${id}/diagnosis`);
  const advice = present(at(found, "diagnosis", "verdict", "advice"), "advice");
  expect(JSON.stringify(advice)).toContain(
    `hearth deployment set-result ${id} --abandon-unreachable`,
  );
});
