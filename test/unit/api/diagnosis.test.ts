import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import { metadataUrl, signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { waitingDeployment } from "./deployment-world.ts";

const deployment = (config: string, more: JsonObject = {}): JsonObject => ({
  type: "OS::Heat::SoftwareDeployment",
  properties: { config: { get_resource: config }, server: { get_resource: "web" }, ...more },
});

const config = (group: string): JsonObject => ({
  type: "OS::Heat::SoftwareConfig",
  properties: { group, config: "#!/bin/sh" },
});

const template = (resources: JsonObject): JsonObject => ({
  template: {
    heat_template_version: "2018-08-31",
    resources: {
      web: { type: "OS::Heat::DeployedServer" },
      script: config("script"),
      ...resources,
    },
  },
});

interface Site {
  readonly world: World;
  readonly stack: string;
  readonly serverId: string;
}

const stored = ({ ports }: World, serverId: string): Promise<readonly DeploymentRecord[]> =>
  ports.softwareConfigs.listDeployments(serverId);

const site = async (resources: JsonObject = { run: deployment("script") }): Promise<Site> => {
  const world = openWorld();
  const stack = await createStack(world, "app", template(resources));
  const wanted = Object.values(resources).filter((one) =>
    JSON.stringify(one).includes("Deployment"),
  );
  for (;;) {
    const { body } = await world.send("GET", `${stack}/resources/web`);
    const serverId = String(at(body, "resource", "physical_resource_id"));
    if ((await stored(world, serverId)).length === wanted.length) return { world, stack, serverId };
    if (!(await world.step())) throw new Error("the deployments are not published");
  }
};

const recordOf = async ({ world, serverId }: Site, name = "run"): Promise<DeploymentRecord> => {
  const records = await stored(world, serverId);
  return present(
    records.find(({ resourceName }) => resourceName === name),
    name,
  );
};

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

const poll = async ({ world, serverId }: Site, more: Record<string, string> = {}) => {
  const server = present(await world.ports.softwareConfigs.getServer(serverId), "server");
  const query = { ...queryOf(metadataUrl(world.ports, server)), ...more };
  const sender = { address: "192.0.2.7", agent: "hearth-agent" };
  return serveMetadata(world.ports, serverId, { method: "GET", query, sender });
};

const signal = async (of: Site, body: JsonObject, name = "run") => {
  const { tenant, derivedConfigId: id, generation: gen } = await recordOf(of, name);
  const url = signalUrl(of.world.ports, { tenant, id, exp: 99_999_999_999, gen });
  const request = { method: "PUT", query: queryOf(url), body: JSON.stringify(body) };
  return receiveSignal(of.world.ports, id, request);
};

const diagnosisOf = async (of: Site, name = "run") => {
  const { id } = await recordOf(of, name);
  const { body } = await of.world.send("GET", `/software_deployments/${id}/diagnosis`);
  return at(body, "diagnosis");
};

const resourceReason = async ({ world, stack }: Site, name = "run"): Promise<string> => {
  const { body } = await world.send("GET", `${stack}/resources/${name}`);
  return textAt(body, "resource", "resource_status_reason");
};

const MINUTE_MS = 60_000;

describe("the diagnosis of a deployment", () => {
  it("has the whole history, in the shape that clients expect", async () => {
    const of = await site({
      run: deployment("script"),
      later: deployment("script", { name: "z" }),
    });
    const { id, derivedConfigId, stackId } = await recordOf(of);
    await poll(of, { boot: "begun" });
    const { document } = await poll(of, { hooks: "script" });
    of.world.clock.advance(MINUTE_MS);
    await signal(of, {
      deploy_status: "IN_PROGRESS",
      deploy_status_reason: "copying",
      deploy_stdout: "42 %\n",
    });
    const [, version] = /applied=([0-9a-f]{12})/.exec(JSON.stringify(document)) ?? [];
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await diagnosisOf(of)).toEqual({
      deployment_id: id,
      config_id: derivedConfigId,
      server_id: of.serverId,
      server_name: "web",
      stack_id: stackId,
      resource_name: "run",
      action: "CREATE",
      status: "IN_PROGRESS",
      status_reason: "Deploy data available",
      state: "RUNNING",
      history: ["PUBLISHED", "FETCHED", "RUNNING"].map((state) => ({ state, time })),
      verdict: {
        stage: null,
        cause: "running",
        certain: true,
        advice: [],
        summary: expect.stringContaining('last progress 0 s ago ("copying")'),
      },
      warnings: [],
      evidence: [],
      server: {
        status: null,
        addresses: null,
        fault: null,
        reported: null,
        boot: [{ step: "begun", time }],
        first_poll: time,
        last_poll: time,
        agent: "hearth-agent",
        address: "192.0.2.7",
        tools: ["script"],
        document_version: version,
        served_version: version,
        applied_version: null,
      },
      progress: { heartbeats: 1, reason: "copying", heard: time },
      output_tail: { deploy_stdout: "42 %\n", deploy_stderr: "", time },
      waiting_behind: null,
    });
    expect(await diagnosisOf(of, "later")).toMatchObject({
      state: "FETCHED",
      verdict: { cause: "waiting_behind", certain: true },
      waiting_behind: { deployment_id: id, resource_name: "run", since: time },
    });
  });

  it("counts the refused signal that explains it", async () => {
    const of = await site();
    await poll(of);
    await expect(signal(of, { deploy_status: "DONE" })).rejects.toThrow();
    expect(await diagnosisOf(of)).toMatchObject({
      verdict: { stage: 6, cause: "cannot_signal", certain: true },
      evidence: [{ kind: "not_valid", about: "deployment", count: 1 }],
    });
  });

  it("shows how a finished one ended", async () => {
    const of = await site();
    await poll(of);
    await signal(of, { deploy_status_code: 0 });
    await of.world.settle();
    expect(await diagnosisOf(of)).toMatchObject({
      state: "COMPLETE",
      verdict: { stage: null, cause: "finished", certain: true },
      history: [{ state: "PUBLISHED" }, { state: "FETCHED" }, { state: "COMPLETE" }],
    });
  });

  it("knows nothing about a server that is not Hearth's, for one without a stack", async () => {
    const world = openWorld();
    const { body: made } = await world.send("POST", "/software_configs", { group: "python" });
    const config_id = textAt(made, "software_config", "id");
    const body = { config_id, server_id: "srv-1", action: "CREATE", status: "IN_PROGRESS" };
    const answer = await world.send("POST", "/software_deployments", body);
    const id = textAt(answer.body, "software_deployment", "id");
    const diagnosed = await world.send("GET", `/software_deployments/${id}/diagnosis`);
    expect(at(diagnosed.body, "diagnosis")).toMatchObject({
      stack_id: null,
      server: null,
      server_name: null,
      state: "PUBLISHED",
      verdict: { stage: null, cause: "unknown_server" },
      warnings: [expect.stringContaining("python")],
    });
  });

  it("tells that the server of a waiting deployment is deleted", async () => {
    const world = openWorld();
    const until = async (isDone: () => Promise<boolean>): Promise<void> => {
      while (!(await isDone())) if (!(await world.step())) throw new Error("nothing is left");
    };
    const servers = await createStack(world, "servers", template({}));
    await world.settle();
    const { body } = await world.send("GET", `${servers}/resources/web`);
    const server = textAt(body, "resource", "physical_resource_id");
    const path = await createStack(
      world,
      "app",
      template({ run: deployment("script", { server }) }),
    );
    await until(async () => (await stored(world, server)).length === 1);
    await world.send("DELETE", servers);
    await until(async () => (await world.ports.softwareConfigs.getServer(server)) === null);
    const { body: asked } = await world.send("GET", `${path}/diagnosis`);
    expect(JSON.stringify(asked)).toContain(`its server (${server}) is deleted`);
  });

  it("tells that nobody knows the server of a stack's deployment, which waits as in Heat", async () => {
    const { world, url, path } = await waitingDeployment({ server: "nobody" });
    const diagnosed = await world.send("GET", `${url}/diagnosis`);
    expect(at(diagnosed.body, "diagnosis")).toMatchObject({
      server: null,
      status: "IN_PROGRESS",
      verdict: {
        cause: "unknown_server",
        summary: expect.stringContaining("does not manage its server (nobody)"),
        advice: expect.arrayContaining([expect.stringContaining("check the deployment's server")]),
      },
    });
    const events = await world.send("GET", `${path}/resources/dep/events`);
    expect(JSON.stringify(events.body)).toContain("Warning: no server nobody is known here");
    await world.send("POST", `${path}/resources/dep/signal`, { deploy_status_code: 0 });
    await world.settle();
    expect(at((await world.send("GET", path)).body, "stack", "stack_status")).toBe(
      "CREATE_COMPLETE",
    );
  });

  it("is hidden from other tenants", async () => {
    const of = await site();
    const { id } = await recordOf(of);
    const path = `/v1/other/software_deployments/${id}/diagnosis`;
    expect((await of.world.send("GET", path)).status).toBe(404);
  });
});

describe("the owner's report on a server", () => {
  it("decides between the stages before the first poll, and replaces the last report", async () => {
    const of = await site();
    const report = (body: JsonObject) =>
      of.world.send("PUT", `/servers/${of.serverId}/report`, { report: body });
    await report({ status: "ACTIVE", addresses: ["10.0.0.4"], fault: "slow" });
    of.world.clock.advance(5 * MINUTE_MS);
    expect(await diagnosisOf(of)).toMatchObject({
      verdict: { stage: 2, cause: "no_network", certain: false },
      server: { status: "ACTIVE", addresses: ["10.0.0.4"], fault: "slow" },
    });
    const answer = await report({ status: "SHUTOFF" });
    expect([answer.status, at(answer.body, "report", "status")]).toEqual([200, "SHUTOFF"]);
    expect(await diagnosisOf(of)).toMatchObject({
      verdict: { stage: 1, cause: "server_not_booted", certain: true },
      server: { status: "SHUTOFF", addresses: null, fault: null },
    });
  });

  it("is refused with unknown words, with too many, and for another tenant's server", async () => {
    const { world, serverId } = await site();
    const path = `/servers/${serverId}/report`;
    const refused = [
      { report: { status: "RUNNING" } },
      { report: { status: "ACTIVE", addresses: Array.from({ length: 17 }, () => "10.0.0.4") } },
      { report: { status: "ERROR", fault: "x".repeat(2_001) } },
      {},
    ];
    for (const body of refused) expect((await world.send("PUT", path, body)).status).toBe(400);
    const body = { report: { status: "ERROR" } };
    expect((await world.send("PUT", `/v1/other${path}`, body)).status).toBe(404);
    expect((await world.send("PUT", "/servers/none/report", body)).status).toBe(404);
  });
});

describe("the reason of a resource", () => {
  it("says what its deployment waits for, during the wait and after the timeout", async () => {
    const of = await site();
    await poll(of);
    of.world.clock.advance(41 * MINUTE_MS);
    expect(await resourceReason(of)).toBe(
      [
        "state changed; server web fetched it 41 min ago and has been silent since:",
        "it is still running, or the agent or the server is down",
      ].join(" "),
    );
    const { body } = await of.world.send("GET", `${of.stack}/resources`);
    const reasons = listAt(body, "resources").map((one) => at(one, "resource_status_reason"));
    expect(reasons).toContain("state changed");
    await of.world.settle();
    expect(await resourceReason(of)).toMatch(
      /CREATE timed out; server web fetched it \d+ min ago and has been silent since/,
    );
  });

  it("says that the deployment's own timeout is over", async () => {
    const of = await site({ run: deployment("script", { timeout: 300 }) });
    await of.world.settle();
    expect(await resourceReason(of)).toMatch(
      /No signal within 300 seconds; server web has never polled, and nothing else is known of it/,
    );
  });

  it("follows one event with the findings of the lint", async () => {
    const of = await site({ odd: config("python"), run: deployment("odd") });
    await of.world.settle();
    const { body } = await of.world.send("GET", `${of.stack}/resources/run/events`);
    const reasons = listAt(body, "events").map((one) => textAt(one, "resource_status_reason"));
    const warnings = reasons.filter((reason) => reason.startsWith("Warning: "));
    expect(warnings).toEqual([
      expect.stringContaining("the stock agents have no hook called python"),
    ]);
    expect(await diagnosisOf(of)).toMatchObject({ warnings: [expect.stringContaining("python")] });
  });
});
