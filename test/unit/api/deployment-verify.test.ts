import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, createStack, listAt, openWorld, textAt } from "./api-world.ts";

const VERIFY = "#!/bin/sh\nsystemctl is-active nginx";

const template = (options: JsonObject, properties: JsonObject = {}): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    server: { type: "OS::Heat::DeployedServer" },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: {
        group: "script",
        config: "#!/bin/sh\nsystemctl start nginx",
        inputs: [{ name: "port", default: 80 }],
        outputs: [{ name: "url" }],
        options,
      },
    },
    dep: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "server" },
        ...properties,
      },
    },
  },
  outputs: { url: { value: { get_attr: ["dep", "url"] } } },
});

const inputOf = (published: Json, name: string): string =>
  textAt(listAt(published, "inputs").find((input) => at(input, "name") === name) ?? null, "value");

const openSite = async (options: JsonObject = { verify: VERIFY }, properties: JsonObject = {}) => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: template(options, properties) });
  await world.goOn();
  const deployments = async () =>
    listAt((await world.send("GET", "/software_deployments")).body, "software_deployments");
  const serverId = textAt((await deployments())[0] ?? null, "server_id");
  const published = async (): Promise<readonly Json[]> =>
    listAt(
      (await world.send("GET", `/software_deployments/metadata/${serverId}`)).body,
      "metadata",
    );
  const answer = async (action: string, result: JsonObject): Promise<void> => {
    const all = await published();
    const one = all.find((each) => inputOf(each, "deploy_action") === action) ?? null;
    const { pathname, searchParams } = new URL(inputOf(one, "deploy_signal_id"));
    const query = Object.fromEntries(searchParams);
    const request = { method: "POST", query, body: JSON.stringify(result) };
    await receiveSignal(world.ports, pathname.split("/").at(-1) ?? "", request);
    await world.settle();
  };
  const act = async (verb: string): Promise<void> => {
    await world.send("POST", `${path}/actions`, { [verb]: null });
    await world.goOn();
  };
  const status = async () => textAt((await world.send("GET", path)).body, "stack", "stack_status");
  const row = () =>
    present(
      world.store.dump().rows.find(({ name }) => name === "dep"),
      "row",
    );
  return { world, path, deployments, published, answer, act, status, row };
};

type Site = Awaited<ReturnType<typeof openSite>>;

const created = async (...given: Parameters<typeof openSite>): Promise<Site> => {
  const site = await openSite(...given);
  await site.answer("CREATE", { deploy_status_code: 0, deploy_stdout: "made", url: "http://a" });
  expect(await site.status()).toBe("CREATE_COMPLETE");
  return site;
};

const outputs = async ({ world, path }: Site): Promise<Json> =>
  at((await world.send("GET", path)).body, "stack", "outputs", 0, "output_value") ?? null;

describe("a check with a script verify", () => {
  it("runs it beside the deployment, with its inputs, and exit code 0 is no drift", async () => {
    const site = await created();
    const [before = null] = await site.published();
    await site.act("check");
    expect(await site.status()).toBe("CHECK_IN_PROGRESS");
    const all = await site.published();
    expect(all).toContainEqual(before);
    const verify = all.find((one) => at(one, "config") === VERIFY) ?? null;
    expect(at(verify, "group")).toBe("script");
    expect([inputOf(verify, "port"), inputOf(verify, "deploy_action")]).toEqual(["80", "CHECK"]);
    await site.answer("CHECK", { deploy_status_code: 0, deploy_stdout: "active" });
    expect(await site.status()).toBe("CHECK_COMPLETE");
    expect(site.row().health).toMatchObject({ state: "as made" });
    expect(await outputs(site)).toBe("http://a");
  });

  it("finds drift with its last words, and the next update runs the deployment again", async () => {
    const site = await created();
    const object = site.row().physicalResourceId;
    await site.act("check");
    const deploy_stderr = "looked\nnginx is dead\n";
    await site.answer("CHECK", { deploy_status_code: 3, deploy_stderr });
    expect(await site.status()).toBe("CHECK_FAILED");
    const what = "its verify script exits with 3: nginx is dead";
    expect(site.row().health).toMatchObject({ state: "differs", what });
    const { body } = await site.world.send("PATCH", `${site.path}/preview`, {});
    expect(
      listAt(body, "resource_changes", "updated").map((one) => textAt(one, "change", "reason")),
    ).toEqual([`it is repaired: ${what}`]);
    await site.world.send("PATCH", site.path, {});
    await site.world.goOn();
    expect(site.row()).toMatchObject({ action: "UPDATE", status: "IN_PROGRESS" });
    await site.answer("CREATE", { deploy_status_code: 0, url: "http://b" });
    expect(await site.status()).toBe("UPDATE_COMPLETE");
    expect(site.row()).toMatchObject({ health: null, physicalResourceId: object });
    expect(await outputs(site)).toBe("http://b");
    await site.act("check");
    await site.answer("CHECK", { deploy_status_code: 0 });
    expect(await site.status()).toBe("CHECK_COMPLETE");
  });

  it("takes the last line of its output if it has printed no error", async () => {
    const site = await created();
    await site.act("check");
    await site.answer("CHECK", { deploy_status_code: 1, deploy_stdout: "first\nlast" });
    expect(site.row().health?.what).toBe("its verify script exits with 1: last");
  });

  it("waits five minutes for a silent server, and then knows nothing", async () => {
    const site = await created({ verify: VERIFY }, { signal_transport: "TEMP_URL_SIGNAL" });
    await site.act("check");
    await site.world.pass(299_000);
    expect(await site.status()).toBe("CHECK_IN_PROGRESS");
    const { body } = await site.world.send("GET", `${site.path}/diagnosis`);
    expect(JSON.stringify(body)).toContain("no agent");
    await site.world.pass(32_000);
    expect(await site.status()).toBe("CHECK_FAILED");
    expect(site.row().health).toMatchObject({
      state: "unknown",
      what: expect.stringContaining("its verify script gave no answer: "),
    });
    expect(site.row().physicalResourceId).toBe(textAt((await site.deployments())[0] ?? null, "id"));
  });

  it("is not asked in a suspended stack, and has not to be", async () => {
    const site = await created();
    await site.act("suspend");
    await site.world.settle();
    await site.act("check");
    await site.world.settle();
    expect(await site.status()).toBe("CHECK_COMPLETE");
    expect(await site.deployments()).toHaveLength(1);
  });

  it("is overtaken by an update, which does not wait for it", async () => {
    const site = await created();
    await site.act("check");
    await site.world.send("PATCH", site.path, {});
    await site.world.goOn();
    await site.answer("CREATE", { deploy_status_code: 0 });
    expect(await site.status()).toBe("UPDATE_COMPLETE");
  });

  it("leaves nothing behind once its deployment is deleted, not even after a check", async () => {
    const site = await created();
    await site.act("check");
    expect(await site.deployments()).toHaveLength(2);
    await site.world.send("DELETE", site.path);
    await site.world.settle();
    expect(await site.status()).toBe("DELETE_COMPLETE");
    expect(await site.deployments()).toEqual([]);
  });

  it("has nothing to verify of a deployment from outside the stack", async () => {
    const site = await created();
    const { world } = site;
    const { physicalResourceId } = site.row();
    const { resources, ...others } = template({ verify: VERIFY });
    const { server, config, dep } = Object(resources);
    const outside = { ...dep, external_id: physicalResourceId };
    const given = { ...others, outputs: {}, resources: { server, config, dep: outside } };
    const other = await createStack(world, "other", { template: given });
    await world.settle();
    const shown = await world.send("GET", other);
    expect(textAt(shown.body, "stack", "stack_status")).toBe("CREATE_COMPLETE");
    expect(await site.deployments()).toHaveLength(1);
  });

  it("has nothing to verify of a deployment that has delivered nothing yet", async () => {
    const world = openWorld();
    const idle = template({ verify: VERIFY }, { actions: ["DELETE"] });
    const other = await createStack(world, "idle", { template: idle });
    await world.settle();
    await world.send("POST", `${other}/actions`, { check: null });
    await world.settle();
    expect(
      listAt((await world.send("GET", "/software_deployments")).body, "software_deployments"),
    ).toEqual([]);
    const shown = await world.send("GET", other);
    expect(textAt(shown.body, "stack", "stack_status")).toBe("CHECK_COMPLETE");
  });

  it("asks a deployment that sends no signal too", async () => {
    const site = await openSite({ verify: VERIFY }, { signal_transport: "NO_SIGNAL" });
    await site.world.settle();
    await site.act("check");
    await site.answer("CHECK", { deploy_status_code: 2 });
    expect(site.row().health).toMatchObject({
      state: "differs",
      what: "its verify script exits with 2",
    });
  });
});

it.each<[string, JsonObject]>([
  ["no script", {}],
  ["an empty script", { verify: "" }],
  ["what is no text", { verify: { a: 1 } }],
])("a check of a deployment with %s finds nothing and delivers nothing", async (_, options) => {
  const site = await created(options);
  await site.act("check");
  await site.world.settle();
  expect(await site.status()).toBe("CHECK_COMPLETE");
  expect(await site.deployments()).toHaveLength(1);
});
