import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const SCRIPT = "#!/bin/sh\necho of the first host";

const template = (a: number): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: SCRIPT, inputs: [{ name: "a" }] },
    },
    dep: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "server" },
        actions: ["CREATE", "UPDATE", "DELETE"],
        input_values: { a },
      },
    },
    handle: { type: "OS::Heat::WaitConditionHandle" },
    waits: {
      type: "OS::Heat::WaitCondition",
      properties: { handle: { get_resource: "handle" }, timeout: 600, count: 1 },
    },
  },
  outputs: {
    printed: { value: { get_attr: ["dep", "deploy_stdout"] } },
    data: { value: { get_attr: ["waits", "data"] } },
    server: { value: { get_resource: "server" } },
  },
});

const signalTo = async (world: World, href: string, body: JsonObject): Promise<string> => {
  const url = new URL(href);
  const query = Object.fromEntries(url.searchParams);
  const id = url.pathname.split("/").at(-1) ?? "";
  const request = { method: "POST", query, body: JSON.stringify(body) };
  return (await receiveSignal(world.ports, id, request)).effect;
};

const deploymentsOf = async (world: World, path: string): Promise<readonly Json[]> => {
  const shown = await world.send("GET", `${path}/resources/server`);
  const config = at(shown.body, "resource", "attributes", "os_collect_config") ?? null;
  const url = new URL(textAt(config, "request", "metadata_url"));
  const query = Object.fromEntries(url.searchParams);
  const id = url.pathname.split("/").at(-1) ?? "";
  const served = await serveMetadata(world.ports, id, { method: "GET", query });
  return listAt(served.document ?? {}, "deployments");
};

const inputOf = (deployment: Json | undefined, name: string): Json | undefined =>
  at(
    listAt(deployment ?? null, "inputs").find((input) => at(input, "name") === name) ?? null,
    "value",
  );

const report = async (world: World, path: string, printed: string): Promise<string> => {
  const [deployment] = await deploymentsOf(world, path);
  const url = String(inputOf(deployment, "deploy_signal_id"));
  const result = { deploy_status_code: 0, deploy_stdout: printed };
  const effect = await signalTo(world, url, result);
  await world.settle();
  return effect;
};

const stateOf = async (world: World, path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const outputOf = async (world: World, path: string, key: string): Promise<Json | undefined> =>
  at((await world.send("GET", `${path}/outputs/${key}`)).body, "output", "output_value");

const abandoned = async () => {
  const first = openWorld();
  const path = await createStack(first, "site", { template: template(1) });
  await first.goOn();
  const { body } = await first.send("GET", `${path}/resources/handle`);
  const url = textAt(body, "resource", "attributes", "endpoint");
  await signalTo(first, url, { status: "SUCCESS", data: "up", id: "m1" });
  await report(first, path, "one");
  expect(await stateOf(first, path)).toBe("CREATE_COMPLETE");
  const ran = await deploymentsOf(first, path);
  const document = (await first.send("DELETE", `${path}/abandon`)).body;
  return { document, ran };
};

const adopted = async (adopt_stack_data: Json) => {
  const second = openWorld(undefined, undefined, 2);
  const path = await createStack(second, "site", { adopt_stack_data });
  await second.goOn();
  return { second, path };
};

describe("a stack with software that another host adopts", () => {
  it("is complete with the values that it had, and its server runs nothing again", async () => {
    const { document, ran } = await abandoned();
    const { second, path } = await adopted(document);
    expect(await stateOf(second, path)).toBe("ADOPT_COMPLETE");
    expect(await outputOf(second, path, "printed")).toBe("one");
    expect(await outputOf(second, path, "data")).toBe('{"m1": "up"}');
    const served = await deploymentsOf(second, path);
    expect(served.map((one) => at(one, "id"))).toEqual(ran.map((one) => at(one, "id")));
    expect(inputOf(served[0], "deploy_signal_id")).toBeUndefined();
    expect(at(served[0] ?? null, "config")).toBe(SCRIPT);
  });

  it("has a server with another id, and an event says what to do with its machine", async () => {
    const { document } = await abandoned();
    const { second, path } = await adopted(document);
    const former = textAt(document, "resources", "server", "resource_id");
    expect(await outputOf(second, path, "server")).not.toBe(former);
    const events = await second.send("GET", `${path}/resources/server/events`);
    const reasons = JSON.stringify(events.body);
    expect(reasons).toContain(`The server ${former} is not known to this host`);
    expect(reasons).toContain("hearth server bootstrap");
  });

  it("is updated without a wait for what has been signalled, and runs its DELETE", async () => {
    const { document } = await abandoned();
    const { second, path } = await adopted(document);
    await second.send("PUT", path, { template: template(2) });
    await second.goOn();
    const [deployment] = await deploymentsOf(second, path);
    expect(inputOf(deployment, "a")).toBe("2");
    expect(inputOf(deployment, "deploy_action")).toBe("UPDATE");
    await report(second, path, "two");
    expect(await stateOf(second, path)).toBe("UPDATE_COMPLETE");
    expect(await outputOf(second, path, "printed")).toBe("two");

    await second.send("DELETE", path);
    await second.goOn();
    const [last] = await deploymentsOf(second, path).catch(() => []);
    expect(inputOf(last, "deploy_action")).toBe("DELETE");
    await report(second, path, "");
    expect(await stateOf(second, path)).toBe("DELETE_COMPLETE");
  });

  it.each([
    ["dep", { derived_config_id: "../other" }, "The state of the deployment is invalid"],
    ["handle", { signals: [{ entry: "cleared" }] }, "The state of the handle is invalid"],
  ])("is refused with the place if the state of %s is wrong", async (name, state, reason) => {
    const { document } = await abandoned();
    const changed: Json = JSON.parse(
      JSON.stringify(document),
      (key, value: Json): Json =>
        key === name && at(value, "state") !== undefined
          ? Object.assign({}, value, { state })
          : value,
    );
    const { second, path } = await adopted(changed);
    await second.settle();
    expect(await stateOf(second, path)).toBe("ADOPT_FAILED");
    const shown = await second.send("GET", `${path}/resources/${name}`);
    expect(textAt(shown.body, "resource", "resource_status_reason")).toContain(reason);
  });

  it("is refused while a deployment runs for the first host", async () => {
    const { document } = await abandoned();
    const changed: Json = JSON.parse(
      JSON.stringify(document),
      (key, value: Json): Json =>
        key === "state" && at(value, "status") !== undefined
          ? Object.assign({}, value, { status: "IN_PROGRESS" })
          : value,
    );
    const { second, path } = await adopted(changed);
    await second.settle();
    const shown = await second.send("GET", `${path}/resources/dep`);
    expect(textAt(shown.body, "resource", "resource_status_reason")).toContain("still in progress");
  });
});
