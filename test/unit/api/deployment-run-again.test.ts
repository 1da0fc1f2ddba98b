import { describe, expect, it } from "vitest";
import { route } from "#lib/api/route.ts";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, SETTINGS, textAt, type World } from "./api-world.ts";
import { messageOf, type WaitingDeployment, waitingDeployment } from "./deployment-world.ts";

const runAgain = ({ world, url }: WaitingDeployment, body?: JsonObject) =>
  world.send("POST", `${url}/run_again`, body);

const refusalOf = async (site: WaitingDeployment, body?: JsonObject) => {
  const answer = await runAgain(site, body);
  return [answer.status, messageOf(answer.body)];
};

const finish = async (site: WaitingDeployment, result: JsonObject = { deploy_status_code: 0 }) => {
  await site.signal(await site.signalUrl(), result);
  await site.world.settle();
};

const finished = async (properties: JsonObject = {}) => {
  const site = await waitingDeployment(properties);
  await finish(site);
  return site;
};

const inputOf = (published: Json, name: string): string =>
  textAt(listAt(published, "inputs").find((input) => at(input, "name") === name) ?? null, "value");

const resource = async ({ world, path }: WaitingDeployment): Promise<string> =>
  textAt((await world.send("GET", `${path}/resources/dep`)).body, "resource", "resource_status");

const healths = ({ world }: WaitingDeployment) =>
  world.store.dump().rows.map(({ name, health }) => [name, health?.state ?? null]);

describe("a finished deployment that is run again", () => {
  it("is delivered under a new id, its resource shows that, and the new result counts", async () => {
    const site = await finished();
    const before = await site.published();
    const answer = await runAgain(site);
    expect(answer.status).toBe(202);
    await site.goOn();
    expect(await site.stackStatus()).toBe("UPDATE_IN_PROGRESS");
    expect(await resource(site)).toBe("UPDATE_IN_PROGRESS");
    expect(await site.show()).toMatchObject({ status: "IN_PROGRESS", action: "CREATE" });
    const after = await site.published();
    expect(textAt(after, "id")).not.toBe(textAt(before, "id"));
    expect(inputOf(after, "deploy_action")).toBe("CREATE");
    expect(at(after, "config")).toEqual(at(before, "config"));
    await finish(site, { deploy_status_code: 0, deploy_stdout: "second", result: "r" });
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
    expect(await site.show()).toMatchObject({
      status: "COMPLETE",
      output_values: { deploy_stdout: "second", result: "r" },
    });
    const outputs = (await site.world.send("GET", site.path)).body;
    expect(at(outputs, "stack", "outputs", 0, "output_value")).toBe("second");
    expect(healths(site).filter(([, state]) => state !== null)).toEqual([]);
  });

  it("visits no other resource", async () => {
    const site = await finished();
    const numbers = () =>
      Object.fromEntries(site.world.store.dump().rows.map((row) => [row.name, row.generation]));
    const before = numbers();
    await runAgain(site);
    await site.goOn();
    await finish(site);
    expect(numbers()).toEqual({ ...before, dep: Number(before["dep"]) + 1 });
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });

  it("runs for CREATE if no other action of it is deployed", async () => {
    const site = await finished({ actions: ["CREATE"] });
    await runAgain(site);
    await site.goOn();
    expect(await resource(site)).toBe("UPDATE_IN_PROGRESS");
    expect(inputOf(await site.published(), "deploy_action")).toBe("CREATE");
    await finish(site);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });

  it("runs for UPDATE if that has run last", async () => {
    const site = await finished();
    const given = { a: 2 };
    const { body } = await site.world.send("GET", `${site.path}/template`);
    const template = JSON.parse(JSON.stringify(body));
    template.resources.dep.properties.input_values = given;
    await site.world.send("PATCH", site.path, { template });
    await site.goOn();
    await finish(site);
    await runAgain(site);
    await site.goOn();
    expect(inputOf(await site.published(), "deploy_action")).toBe("UPDATE");
    await finish(site);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });

  it("fails as what it is, keeps everything, and can run again after that", async () => {
    const site = await finished();
    const objects = () =>
      site.world.store.dump().rows.map(({ name, physicalResourceId: id }) => [name, id]);
    const before = objects();
    await runAgain(site);
    await site.goOn();
    await finish(site, { deploy_status_code: 7, deploy_stderr: "no port" });
    expect(await site.stackStatus()).toBe("UPDATE_FAILED");
    expect(await resource(site)).toBe("UPDATE_FAILED");
    const { body } = await site.world.send("GET", site.path);
    expect(textAt(body, "stack", "stack_status_reason")).toContain("no port");
    expect(objects()).toEqual(before);
    expect((await runAgain(site)).status).toBe(202);
    await site.goOn();
    await finish(site);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
    expect(objects()).toEqual(before);
  });

  it("is run by a newer update that overtakes it", async () => {
    const site = await finished();
    await runAgain(site);
    await site.goOn();
    const first = textAt(await site.published(), "id");
    await site.world.send("PATCH", site.path, {});
    await site.goOn();
    expect(textAt(await site.published(), "id")).not.toBe(first);
    await finish(site);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });

  it("runs after a check too, which found nothing", async () => {
    const site = await finished();
    await site.world.send("POST", `${site.path}/actions`, { check: null });
    await site.world.settle();
    expect((await runAgain(site)).status).toBe(202);
    await site.goOn();
    await finish(site);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });

  it("has who asked for it in the first event of its update", async () => {
    const site = await finished();
    const { ports } = site.world;
    const path = `/v1/demo${site.url}/run_again`;
    const request = { method: "POST", path, query: {}, body: null, tenant: "demo" };
    const actor = "token:0123456789ab";
    const answer = await route(ports, SETTINGS, { ...request, actor }, (error) => {
      throw error;
    });
    expect(answer.status).toBe(202);
    await site.goOn();
    const { body } = await site.world.send("GET", `${site.path}/events`);
    const told = listAt(body, "events").filter((event) => at(event, "actor") === actor);
    expect(told.map((event) => textAt(event, "resource_status"))).toEqual(["UPDATE_IN_PROGRESS"]);
  });

  it("needs no signal if it sends none", async () => {
    const site = await waitingDeployment({ signal_transport: "NO_SIGNAL" });
    const before = textAt(await site.published(), "id");
    expect((await runAgain(site)).status).toBe(202);
    await site.world.settle();
    expect(textAt(await site.published(), "id")).not.toBe(before);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });
});

describe("to run a deployment again is refused", () => {
  it("while it runs, and says what helps", async () => {
    const site = await waitingDeployment();
    expect(await refusalOf(site)).toEqual([
      409,
      "Stack app already has an action (CREATE) in progress.",
    ]);
    await finish(site);
    await runAgain(site);
    await site.goOn();
    expect(await refusalOf(site)).toEqual([
      409,
      "Stack app already has an action (UPDATE) in progress.",
    ]);
  });

  it("for the second of two at the same time, and it runs once", async () => {
    const site = await finished();
    const answers = await Promise.all([runAgain(site), runAgain(site)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    await site.goOn();
    await finish(site);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
    await site.world.send("PATCH", site.path, {});
    await site.world.settle();
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });

  it("in a suspended stack and in one that is being deleted", async () => {
    const site = await finished();
    await site.world.send("POST", `${site.path}/actions`, { suspend: null });
    await site.world.settle();
    expect(await refusalOf(site)).toEqual([
      400,
      "Running deployments again in a stack when it is suspended is not supported.",
    ]);
    await site.world.send("DELETE", site.path);
    expect((await refusalOf(site))[0]).toBe(409);
    await site.world.settle();
    expect((await refusalOf(site))[0]).toBe(404);
  });

  it("if an update would do more than that, and leaves no mark", async () => {
    const site = await finished();
    const { world, path } = site;
    await world.send("PATCH", `${path}/resources/server`, { mark_unhealthy: true });
    expect(await refusalOf(site)).toEqual([
      409,
      'Nothing is run again in stack app, because an update would also change server, dep. "hearth stack repair app" shows all that there is to do, asks, and does it.',
    ]);
    expect(healths(site)).toContainEqual(["dep", null]);
  });

  it("if another request changes the stack meanwhile, and leaves no mark", async () => {
    const site = await finished();
    const { store } = site.world;
    const { writeStack } = store;
    let isFirst = true;
    store.writeStack = async (...given) => {
      if (isFirst) {
        isFirst = false;
        await site.world.send("POST", `${site.path}/actions`, { check: null });
      }
      return writeStack(...given);
    };
    expect((await runAgain(site)).status).toBe(409);
    store.writeStack = writeStack;
    expect(healths(site)).toContainEqual(["dep", null]);
    await site.world.settle();
    expect(await site.stackStatus()).toBe("CHECK_COMPLETE");
  });

  it("if another request begins before its preview, and overtakes nothing", async () => {
    const site = await finished();
    const { store } = site.world;
    const { writeResource } = store;
    store.writeResource = async (...given) => {
      store.writeResource = writeResource;
      const written = await writeResource(...given);
      await site.world.send("POST", `${site.path}/actions`, { check: null });
      return written;
    };
    expect(await refusalOf(site)).toEqual([
      409,
      "Stack app already has an action (CHECK) in progress.",
    ]);
    expect(healths(site)).toContainEqual(["dep", null]);
    await site.world.settle();
    expect(await site.stackStatus()).toBe("CHECK_COMPLETE");
  });

  it("if its server is gone", async () => {
    const site = await finished();
    const row = site.world.store.dump().rows.find(({ name }) => name === "server");
    const health = { state: "gone" as const, what: "somebody removed it", seenBy: null };
    await site.world.store.writeResource(present(row, "row"), [], { set: { health } });
    expect(await refusalOf(site)).toEqual([
      409,
      `Deployment ${site.id} is not run again: its server ${site.serverId} is gone: somebody removed it.`,
    ]);
  });

  it("if it has last run for another action", async () => {
    const site = await finished({ actions: ["CREATE", "SUSPEND"] });
    const { world, path } = site;
    await world.send("POST", `${path}/actions`, { suspend: null });
    await site.goOn();
    await finish(site);
    await world.send("POST", `${path}/actions`, { resume: null });
    await world.settle();
    expect(await site.stackStatus()).toBe("RESUME_COMPLETE");
    expect(await refusalOf(site)).toEqual([
      409,
      `Deployment ${site.id} is not run again: it has last run for SUSPEND, and only what has run for CREATE or UPDATE can be repeated.`,
    ]);
  });

  it("together with one of another stack", async () => {
    const site = await finished();
    const { world } = site;
    await createStack(world, "other", { template: GROUP });
    await world.settle();
    const other = (await idsOf(world)).map(([id]) => id).find((id) => id !== site.id) ?? "";
    expect(await refusalOf(site, { also: [other] })).toEqual([
      400,
      `Deployment ${other} is not in stack app, as ${site.id} is.`,
    ]);
    expect(healths(site).filter(([, state]) => state !== null)).toEqual([]);
  });

  it("for one of no stack, and for an unknown one", async () => {
    const site = await finished();
    const { world } = site;
    expect((await refusalOf(site, { also: ["nope"] }))[0]).toBe(404);
    const config = await world.send("POST", "/software_configs", { name: "c", group: "script" });
    const made = await world.send("POST", "/software_deployments", {
      config_id: textAt(config.body, "software_config", "id"),
      server_id: "srv-1",
    });
    const alone = textAt(made.body, "software_deployment", "id");
    const answer = await world.send("POST", `/software_deployments/${alone}/run_again`);
    expect([answer.status, messageOf(answer.body)]).toEqual([
      400,
      expect.stringContaining("belongs to no stack"),
    ]);
  });
});

const GROUP: JsonObject = {
  heat_template_version: "2016-10-14",
  resources: {
    s1: { type: "OS::Heat::DeployedServer" },
    s2: { type: "OS::Heat::DeployedServer" },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh" },
    },
    deps: {
      type: "OS::Heat::SoftwareDeploymentGroup",
      properties: {
        config: { get_resource: "config" },
        servers: { s1: { get_resource: "s1" }, s2: { get_resource: "s2" } },
        signal_transport: "NO_SIGNAL",
      },
    },
  },
};

const idsOf = async (world: World): Promise<readonly (readonly [string, string])[]> => {
  const { body } = await world.send("GET", "/software_deployments");
  return listAt(body, "software_deployments").map(
    (one) => [textAt(one, "id"), textAt(one, "config_id")] as const,
  );
};

describe("members of a group that are run again", () => {
  const openGroup = async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: GROUP });
    await world.settle();
    return { world, path, before: await idsOf(world) };
  };

  it("are those that were asked for, in one update of the root", async () => {
    const { world, path, before } = await openGroup();
    const [[first, firstConfig] = [], [second, secondConfig] = []] = before;
    const one = await world.send("POST", `/software_deployments/${first}/run_again`);
    expect(one.status).toBe(202);
    await world.settle();
    const middle = new Map(await idsOf(world));
    expect(middle.get(first ?? "")).not.toBe(firstConfig);
    expect(middle.get(second ?? "")).toBe(secondConfig);
    const also = [second ?? "", first ?? ""];
    const both = await world.send("POST", `/software_deployments/${first}/run_again`, { also });
    expect(both.status).toBe(202);
    await world.settle();
    const after = new Map(await idsOf(world));
    for (const [id, config] of middle) expect(after.get(id)).not.toBe(config);
    expect(textAt((await world.send("GET", path)).body, "stack", "stack_status")).toBe(
      "UPDATE_COMPLETE",
    );
  });
});
