import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { at, listAt, textAt } from "./api-world.ts";
import { messageOf, type WaitingDeployment, waitingDeployment } from "./deployment-world.ts";

const SECOND_MS = 1_000;

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

const poll = async ({ world: { ports }, serverId }: WaitingDeployment, more: JsonObject = {}) => {
  const server = present(await ports.softwareConfigs.getServer(serverId), "server");
  const asked = Object.entries(more).map(([key, value]) => [key, String(value)] as const);
  const query = { ...queryOf(metadataUrl(ports, server)), ...Object.fromEntries(asked) };
  return serveMetadata(ports, serverId, { method: "GET", query });
};

const currentId = async (site: WaitingDeployment): Promise<string> =>
  textAt(await site.published(), "id");

const runState = async (site: WaitingDeployment, id: string) =>
  at((await poll(site, { running: id })).document ?? null, "running");

const progress = (line: string): JsonObject => ({
  deploy_status: "IN_PROGRESS",
  deploy_status_reason: "The agent has run dep for 60 s",
  deploy_stdout: `first\n${line}\n`,
});

const diagnosisOf = async (site: WaitingDeployment) =>
  at((await site.world.send("GET", `${site.url}/diagnosis`)).body, "diagnosis") ?? null;

const stop = (site: WaitingDeployment) => site.world.send("POST", `${site.url}/stop`);

const update = async (site: WaitingDeployment, more: JsonObject = {}): Promise<void> => {
  const { body } = await site.world.send("GET", `${site.path}/template`);
  const template = JSON.parse(JSON.stringify(body));
  template.resources.dep.properties.input_values = { a: 2 };
  Object.assign(template.resources.dep.properties, more);
  await site.world.send("PUT", site.path, { template });
  await site.goOn();
};

const overtaken = async (tools = "script") => {
  const site = await waitingDeployment();
  await poll(site, tools === "" ? {} : { hooks: tools });
  const old = { id: await currentId(site), url: await site.signalUrl() };
  await site.signal(old.url, progress("step 7"));
  site.world.clock.advance(10 * SECOND_MS);
  await update(site);
  expect(await currentId(site)).not.toBe(old.id);
  return { site, old };
};

describe("the diagnosis after an overtaking update", () => {
  it("names the run in the way, since when, its last line and the command that ends it", async () => {
    const { site } = await overtaken();
    site.world.clock.advance(50 * SECOND_MS);
    const diagnosis = await diagnosisOf(site);
    expect(at(diagnosis, "verdict")).toEqual({
      stage: null,
      cause: "waiting_behind",
      certain: true,
      summary: [
        "server server still runs an earlier delivery of dep, which a newer request has overtaken",
        ' (since 60 s, last report 60 s ago, last line "step 7"); this one begins when that run ends',
      ].join(""),
      advice: [`to end that run now: \`hearth deployment stop ${site.id}\``],
    });
    expect(at(diagnosis, "waiting_behind")).toMatchObject({ deployment_id: site.id });
  });

  it("stays so for as long as the agent reports that run, and says no word of networks", async () => {
    const { site, old } = await overtaken();
    for (let minutes = 0; minutes < 10; minutes += 1) {
      site.world.clock.advance(60 * SECOND_MS);
      await site.signal(old.url, progress(`minute ${minutes}`));
    }
    const verdict = at(await diagnosisOf(site), "verdict") ?? null;
    expect([at(verdict, "cause"), at(verdict, "certain")]).toEqual(["waiting_behind", true]);
    expect(textAt(verdict, "summary")).toContain('last line "minute 9"');
  });

  it("is in doubt when the agent is silent, and over when that run has ended", async () => {
    const { site, old } = await overtaken();
    site.world.clock.advance(200 * SECOND_MS);
    const verdict = at(await diagnosisOf(site), "verdict") ?? null;
    expect([at(verdict, "cause"), at(verdict, "certain")]).toEqual(["waiting_behind", false]);
    await site.signal(old.url, { deploy_status_code: 0 });
    expect(at(await diagnosisOf(site), "verdict", "cause")).not.toBe("waiting_behind");
  });
});

describe("an update that leaves the deployment as it is", () => {
  it("runs it again all the same, because nobody saw the end of the run that it overtakes", async () => {
    const site = await waitingDeployment();
    await poll(site, { hooks: "script" });
    const old = await currentId(site);
    const { body } = await site.world.send("GET", `${site.path}/template`);
    await site.world.send("PUT", site.path, { template: body ?? null });
    await site.goOn();
    expect(await currentId(site)).not.toBe(old);
  });

  it("runs it no second time once its result is there", async () => {
    const site = await waitingDeployment();
    await poll(site, { hooks: "script" });
    const old = await currentId(site);
    await site.signal(await site.signalUrl(), { deploy_status_code: 0 });
    await site.goOn();
    const { body } = await site.world.send("GET", `${site.path}/template`);
    await site.world.send("PUT", site.path, { template: body ?? null });
    await site.goOn();
    expect(await currentId(site)).toBe(old);
    expect(await site.stackStatus()).toBe("UPDATE_COMPLETE");
  });
});

describe("a DELETE that overtakes an update", () => {
  it.each([
    ["the last success", true, { a: 1 }],
    ["the last attempt, if none has succeeded", false, { a: 2 }],
  ])("hands its script the inputs of %s", async (_what, succeeds, inputs) => {
    const site = await waitingDeployment({ actions: ["CREATE", "UPDATE", "DELETE"] });
    await poll(site, { hooks: "script" });
    if (succeeds) await site.signal(await site.signalUrl(), { deploy_status_code: 0 });
    await site.goOn();
    await update(site);
    await poll(site, { hooks: "script" });
    await site.world.send("DELETE", site.path);
    await site.goOn();
    const deletion = { action: "DELETE", status: "IN_PROGRESS", input_values: inputs };
    expect(await site.show()).toMatchObject(deletion);
  });
});

describe("deployment stop", () => {
  it("ends the overtaken run and not the newer one, also if it is said twice", async () => {
    const { site, old } = await overtaken();
    expect(await runState(site, old.id)).toEqual({ id: old.id, state: "overtaken" });
    expect((await stop(site)).status).toBe(202);
    expect((await stop(site)).status).toBe(202);
    const stopped = { id: old.id, state: "stop", reason: "its owner has stopped it" };
    expect(await runState(site, old.id)).toEqual(stopped);
    const now = await currentId(site);
    expect(await runState(site, now)).toEqual({ id: now, state: "awaited" });
    expect(textAt(await diagnosisOf(site), "verdict", "summary")).toContain(
      "its end was asked for",
    );
    site.world.clock.advance(60 * SECOND_MS);
    await site.goOn();
    const { body } = await site.world.send("GET", `${site.path}/events`);
    expect(JSON.stringify(listAt(body, "events"))).toContain(
      "Stop: the agent is told to end the overtaken run that deployment",
    );
  });

  it("ends the deployment's own run where nothing is overtaken", async () => {
    const site = await waitingDeployment();
    await poll(site, { hooks: "script" });
    const id = await currentId(site);
    await site.signal(await site.signalUrl(), progress("hangs"));
    expect((await stop(site)).status).toBe(202);
    expect(await runState(site, id)).toMatchObject({ state: "stop" });
    site.world.clock.advance(60 * SECOND_MS);
    await site.goOn();
    const { body } = await site.world.send("GET", `${site.path}/events`);
    expect(JSON.stringify(listAt(body, "events"))).toContain(
      "Stop: the agent is told to end the run of deployment",
    );
  });

  it("is refused when nothing runs: not fetched, and ended meanwhile", async () => {
    const site = await waitingDeployment();
    const refused = await stop(site);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      expect.stringContaining("has no run that could be stopped: published"),
    ]);
    await poll(site, { hooks: "script" });
    await site.signal(await site.signalUrl(), { deploy_status_code: 0 });
    await site.goOn();
    expect((await stop(site)).status).toBe(409);
  });

  it("is refused for an agent that cannot be told, and for another project", async () => {
    const { site } = await overtaken("");
    const refused = await stop(site);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      expect.stringContaining("kill the run on the server"),
    ]);
    const { site: own, old } = await overtaken();
    const other = await own.world.send("POST", `/v1/another${own.url}/stop`);
    expect(other.status).toBe(404);
    expect(await runState(own, old.id)).toMatchObject({ state: "overtaken" });
  });
});

describe("an agent that asks about its run", () => {
  it("is told to end it after the deployment's own timeout", async () => {
    const site = await waitingDeployment({ timeout: 60 });
    await poll(site, { hooks: "script" });
    const id = await currentId(site);
    site.world.clock.advance(61 * SECOND_MS);
    await site.goOn();
    expect(await runState(site, id)).toEqual({
      id,
      state: "stop",
      reason: "its deployment has timed out",
    });
  });

  it("gets no deployments, and its question is no poll", async () => {
    const site = await waitingDeployment();
    const { document } = await poll(site, { running: await currentId(site) });
    expect(Object.keys(document ?? {})).toEqual(["running"]);
    expect(await site.world.ports.softwareConfigs.getServerSighting(site.serverId)).toBeNull();
  });

  it("must have a signed URL", async () => {
    const site = await waitingDeployment();
    const id = await currentId(site);
    await expect(poll(site, { running: id, sig: "forged" })).rejects.toMatchObject({ status: 403 });
  });
});
