import { describe, expect, it } from "vitest";
import { assert, present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import {
  type Deployed,
  deployed,
  documentOf,
  inputOf,
  putRow,
  signal,
  site,
} from "#test/unit/software-config/deployed.ts";
import {
  abandon,
  aCall,
  act,
  aRow,
  attributesOf,
  call,
  keep,
  look,
  type Row,
  type World,
  withPorts,
} from "../world.ts";

const TYPE = "OS::Heat::SoftwareDeployment";

const finish = async ({ at, row, request, handle }: Deployed): Promise<Progress> => {
  const progress = await look(at, row, request, handle);
  keep(row, request, progress);
  return progress;
};

const started = async (
  at: World,
  row: Row,
  action: "CREATE" | "UPDATE" | "SUSPEND" | "RESUME" | "DELETE",
  given?: JsonObject,
): Promise<Deployed> => {
  const request = await aCall(at, row, action, given);
  const progress = await call(at, row, request);
  assert(progress.state === "waiting", `${action} is ${progress.state}`);
  row.generation = request.generation;
  row.physicalResourceId = progress.physicalResourceId ?? row.physicalResourceId;
  await putRow(at, request);
  return { at, row, request, handle: progress.handle };
};

const created = async (given: JsonObject = {}, config: JsonObject = {}) => {
  const { at, given: ids, server } = await site(config);
  const row = aRow(TYPE, "dep");
  const creation = await started(at, row, "CREATE", { ...ids, ...given });
  await signal(creation, {});
  await finish(creation);
  return { at, row, ids, server };
};

describe("creating a deployment", () => {
  it("publishes a derived config and waits for its signal", async () => {
    const { at, handle } = await deployed();
    expect(at.softwareConfigs.deployments()).toMatchObject([
      { status: "IN_PROGRESS", statusReason: "Deploy data available", derivedConfigId: handle },
    ]);
    expect((await documentOf(at)).deployments.map(({ id }) => id)).toEqual([handle]);
    expect(await inputOf(at, "deploy_stack_id")).toBe("web/stack-1");
  });

  it("ends with its outputs as attributes", async () => {
    const outputs = [{ name: "result" }, { name: "other" }];
    const { at, given } = await site({ outputs });
    const creation = await started(at, aRow(TYPE, "dep"), "CREATE", given);
    await signal(creation, { result: { a: 1 }, deploy_stdout: "o", deploy_status_code: 0 });
    expect(attributesOf(await finish(creation))).toEqual({
      result: { a: 1 },
      other: null,
      deploy_stdout: "o",
      deploy_stderr: null,
      deploy_status_code: 0,
    });
  });

  it("fails with Heat's reason and with the end of stderr", async () => {
    const creation = await deployed();
    const deploy_stderr = `${"x".repeat(5_000)}no space left`;
    await signal(creation, { deploy_status_code: 3, deploy_stderr });
    const reason = "deploy_status_code : Deployment exited with non-zero status code: 3";
    expect(await finish(creation)).toMatchObject({
      state: "failed",
      reason: `Deployment to server failed: ${reason}; stderr: ${deploy_stderr.slice(-2_000)}`,
      physicalResourceId: creation.row.physicalResourceId,
    });
    expect(creation.at.softwareConfigs.deployments()).toMatchObject([
      { status: "FAILED", statusReason: reason },
    ]);
  });

  it("is polled less often the longer it waits", async () => {
    const { at, row, request, handle } = await deployed();
    const delays: unknown[] = [];
    for (const pauseMs of [1_000, 11_000, 60_000]) {
      at.clock.advance(pauseMs);
      const progress = await look(at, row, request, handle);
      delays.push(progress.state === "waiting" ? progress.pollAfterMs : progress.state);
    }
    expect(delays).toEqual([5_000, 12_000, 30_000]);
  });

  it("finds the same result in a repeated poll", async () => {
    const creation = await deployed();
    await signal(creation, { deploy_status_code: 3 });
    const first = await finish(creation);
    expect(await finish(creation)).toEqual(first);
  });

  it("is complete at once without a signal", async () => {
    const { at, given } = await site();
    const progress = await act(at, aRow(TYPE, "dep"), "CREATE", {
      ...given,
      signal_transport: "NO_SIGNAL",
    });
    expect(progress.state).toBe("finished");
    expect(at.softwareConfigs.deployments()).toMatchObject([
      { status: "COMPLETE", statusReason: "Not waiting for outputs signal" },
    ]);
    expect(at.softwareConfigs.signalTargets()).toEqual([]);
  });

  it("deploys an empty config without a config", async () => {
    const { at, given } = await site();
    await started(at, aRow(TYPE, "dep"), "CREATE", { server: given.server });
    expect(await inputOf(at, "deploy_action")).toBe("CREATE");
  });

  it("does nothing if its actions do not include CREATE", async () => {
    const { at, given } = await site();
    const row = aRow(TYPE, "dep");
    const progress = await act(at, row, "CREATE", { ...given, actions: ["DELETE"] });
    expect(attributesOf(progress)).toMatchObject({ deploy_stdout: null });
    expect(at.softwareConfigs.deployments()).toEqual([]);
  });

  it("fails at once if the config is missing or the server is another tenant's", async () => {
    const { at, given } = await site();
    const create = (properties: JsonObject) => act(at, aRow(TYPE, "dep"), "CREATE", properties);
    expect(await create({ ...given, config: "nope" })).toMatchObject({
      state: "failed",
      reason: "The Software Config (nope) could not be found.",
    });
    const missing = { state: "failed", reason: expect.stringContaining("could not be found") };
    const server = present(at.softwareConfigs.servers()[0], "server");
    await at.softwareConfigs.deleteServer(server.tenant, server.id);
    await at.softwareConfigs.putServer({ ...server, tenant: "other" });
    expect(await create(given)).toMatchObject(missing);
  });

  it("waits for a server that nobody knows, as in Heat", async () => {
    const { at, given } = await site();
    const progress = await act(at, aRow(TYPE, "dep"), "CREATE", { ...given, server: "nope" });
    expect(progress).toMatchObject({ state: "waiting" });
    expect(at.softwareConfigs.deployments()).toMatchObject([{ serverId: "nope" }]);
  });
});

describe("a call that is repeated after a crash", () => {
  it("publishes the same id again and keeps the first record", async () => {
    const { at, row, request, handle } = await deployed();
    const before = at.softwareConfigs.deployments();
    at.clock.advance(5_000);
    expect(await call(at, row, request)).toMatchObject({ state: "waiting", handle });
    expect(at.softwareConfigs.deployments()).toEqual(before);
  });

  it("finds what another visit published meanwhile, and keeps a user's new delivery", async () => {
    const { at, row, request, handle } = await deployed();
    const read = present(at.softwareConfigs.deployments()[0], "deployment");
    const again = { ...read, delivery: 2, derivedConfigId: "again" };
    await at.softwareConfigs.changeDeployment(again, read);
    expect(await call(at, row, request)).toMatchObject({ state: "waiting", handle });
    const looks = [null, again];
    const getDeployment = async () => looks.shift() ?? again;
    const softwareConfigs = { ...at.softwareConfigs, getDeployment };
    const late = withPorts(at, { softwareConfigs });
    expect(await call(late, row, request)).toMatchObject({ state: "waiting", handle });
    expect(at.softwareConfigs.deployments()).toEqual([again]);
  });

  it("of an older operation changes nothing", async () => {
    const { at, row, request } = await deployed();
    await started(at, row, "UPDATE", request.properties);
    const before = at.softwareConfigs.deployments();
    expect(await call(at, row, request)).toMatchObject({ state: "failed" });
    expect(at.softwareConfigs.deployments()).toEqual(before);
  });
});

describe("updating a deployment", () => {
  it("runs under a new id and keeps the former outputs", async () => {
    const outputs = [{ name: "first" }, { name: "second" }];
    const { at, given } = await site({ outputs });
    const row = aRow(TYPE, "dep");
    const creation = await started(at, row, "CREATE", given);
    await signal(creation, { first: "1" });
    await finish(creation);
    const update = await started(at, row, "UPDATE", { ...given, input_values: { a: 1 } });
    expect(update.handle).not.toBe(creation.handle);
    await signal(update, { second: "2" });
    expect(attributesOf(await finish(update))).toMatchObject({ first: "1", second: "2" });
    expect(at.softwareConfigs.deployments()).toHaveLength(1);
  });

  it("keeps its position among deployments of the same name", async () => {
    const { at, row, ids } = await created();
    const before = present(at.softwareConfigs.deployments()[0], "deployment");
    at.clock.advance(60_000);
    await started(at, row, "UPDATE", { ...ids, input_values: { a: 1 } });
    const { createdAt, updatedAt } = before;
    expect(at.softwareConfigs.deployments()).toMatchObject([
      { createdAt, updatedAt: updatedAt + 60_000 },
    ]);
  });

  it("is a replacement if a flagged input has another value", async () => {
    const inputs = [{ name: "disk", replace_on_change: true }, { name: "size" }];
    const { at, row, ids } = await created({ input_values: { disk: "a" } }, { inputs });
    const update = (input_values: JsonObject) => act(at, row, "UPDATE", { ...ids, input_values });
    expect(await update({ disk: "b" })).toEqual({ state: "replace" });
    expect(await update({ disk: "a", size: "big" })).toMatchObject({ state: "waiting" });
  });

  it("keeps the entry in the document if UPDATE is not deployed", async () => {
    const { at, row, ids } = await created({ actions: ["CREATE"] });
    const before = await documentOf(at);
    const update = { ...ids, actions: ["CREATE"], input_values: { a: 1 } };
    expect(await act(at, row, "UPDATE", update)).toMatchObject({ state: "finished" });
    expect(await documentOf(at)).toEqual(before);
  });
});

describe("a component", () => {
  const component = async (actions: readonly string[]) => {
    const { at, given, server } = await site();
    const row = aRow("OS::Heat::SoftwareComponent", "component");
    await act(at, row, "CREATE", {
      configs: [{ actions, config: "#!/bin/sh", tool: "script" }],
    });
    return { at, server, ids: { ...given, config: row.physicalResourceId } };
  };

  it("is deployed in its own actions, not in the deployment's", async () => {
    const { at, ids } = await component(["SUSPEND", "RESUME"]);
    const row = aRow(TYPE, "dep");
    expect(await act(at, row, "CREATE", ids)).toMatchObject({ state: "finished" });
    for (const action of ["SUSPEND", "RESUME"] as const) {
      const run = await started(at, row, action);
      expect(await inputOf(at, "deploy_action")).toBe(action);
      await signal(run, {});
      expect(await look(at, row, run.request, run.handle)).toMatchObject({ state: "finished" });
    }
  });
});

describe("deleting a deployment", () => {
  const all = { actions: ["CREATE", "DELETE"] };

  it("removes the record at once if nothing runs", async () => {
    const { at, row } = await created();
    expect(await act(at, row, "DELETE")).toEqual({ state: "finished", physicalResourceId: null });
    expect((await documentOf(at)).deployments).toEqual([]);
  });

  it("runs its script first and then removes the record", async () => {
    const { at, row } = await created(all);
    const deletion = await started(at, row, "DELETE");
    expect(await inputOf(at, "deploy_action")).toBe("DELETE");
    await signal(deletion, {});
    expect(await finish(deletion)).toEqual({ state: "finished", physicalResourceId: null });
    expect(at.softwareConfigs.deployments()).toEqual([]);
    expect(await look(at, row, deletion.request, deletion.handle)).toMatchObject({
      state: "finished",
    });
  });

  it("fails if its script fails, and can be tried again", async () => {
    const { at, row } = await created(all);
    const deletion = await started(at, row, "DELETE");
    await signal(deletion, { deploy_status_code: 1 });
    expect(await finish(deletion)).toMatchObject({ state: "failed" });
    const again = await started(at, row, "DELETE");
    expect(again.handle).not.toBe(deletion.handle);
    await signal(again, {});
    expect(await finish(again)).toMatchObject({ state: "finished" });
  });

  it("makes the record for its own run if there was none, and removes it", async () => {
    const { at, given } = await site();
    const row = aRow(TYPE, "dep");
    await act(at, row, "CREATE", { ...given, actions: ["DELETE"] });
    await documentOf(at);
    const deletion = await started(at, row, "DELETE");
    expect(at.softwareConfigs.deployments()).toMatchObject([{ action: "DELETE" }]);
    await signal(deletion, {});
    await finish(deletion);
    expect(at.softwareConfigs.deployments()).toEqual([]);
  });

  it("runs nothing if the server is gone", async () => {
    const { at, row, server } = await created(all);
    await act(at, server, "DELETE");
    expect(await act(at, row, "DELETE")).toMatchObject({ state: "finished" });
    expect(at.softwareConfigs.deployments()).toEqual([]);
  });

  it("keeps its server waiting, and ends if a user gives the server up", async () => {
    const { at, row, server } = await created(all);
    const deletion = await started(at, row, "DELETE");
    expect(await act(at, server, "DELETE")).toMatchObject({ state: "waiting" });
    const request = await aCall(at, server, "DELETE");
    await call(at, server, { ...request, abandonsUnreachable: true });
    expect(await finish(deletion)).toMatchObject({ state: "finished" });
    expect(at.softwareConfigs.deployments()).toEqual([]);
  });

  it("succeeds if its config is gone", async () => {
    const { at, row, ids } = await created(all);
    await at.softwareConfigs.deleteConfig("demo", String(ids.config));
    expect(await act(at, row, "DELETE")).toMatchObject({ state: "finished" });
  });

  it("runs nothing if the deployment was never published", async () => {
    const { at, given } = await site();
    const row = { ...aRow(TYPE, "dep"), properties: { ...given, ...all } };
    expect(await act(at, row, "DELETE")).toMatchObject({ state: "finished" });
    expect(at.softwareConfigs.signalTargets()).toEqual([]);
  });
});

describe("an abandoned operation", () => {
  const cancel = ({ at, row, request }: Deployed) => abandon(at, row, request);

  it("marks the record as cancelled, once", async () => {
    const creation = await deployed();
    await cancel(creation);
    await cancel(creation);
    expect(creation.at.softwareConfigs.deployments()).toMatchObject([
      { status: "FAILED", statusReason: "Deployment cancelled." },
    ]);
    expect(await finish(creation)).toMatchObject({
      state: "failed",
      reason: "Deployment to server failed: Deployment cancelled.",
    });
  });

  it("keeps a result that was stored before", async () => {
    const creation = await deployed();
    await signal(creation, {});
    await cancel(creation);
    expect(await finish(creation)).toMatchObject({ state: "finished" });
  });

  it("removes the record if it was a deletion", async () => {
    const { at, row } = await created({ actions: ["CREATE", "DELETE"] });
    await cancel(await started(at, row, "DELETE"));
    expect(at.softwareConfigs.deployments()).toEqual([]);
  });
});

describe("a deployment with its own timeout", () => {
  it("fails after it, and its record tells why", async () => {
    const { at, row, request, handle } = await deployed("dep", { timeout: 8 });
    at.clock.advance(5_000);
    const waiting = await look(at, row, request, handle);
    expect(waiting).toMatchObject({ state: "waiting", pollAfterMs: 3_000 });
    at.clock.advance(3_000);
    const ended = await look(at, row, request, handle);
    const waitedFor = "published 8 s ago; server server has not polled yet";
    const reason = `Deployment to server failed: No signal within 8 seconds; ${waitedFor}`;
    expect(ended).toMatchObject({ state: "failed", reason });
    expect(at.softwareConfigs.deployments()).toMatchObject([{ status: "FAILED" }]);
    expect(await look(at, row, request, handle)).toEqual(ended);
  });

  it("quotes the last line that its run has printed", async () => {
    const deployment = await deployed("dep", { timeout: 900 });
    const deploy_stdout = "step 6\nstep 7\n";
    for (let minute = 0; minute < 15; minute++) {
      await signal(deployment, { deploy_status: "IN_PROGRESS", deploy_stdout });
      deployment.at.clock.advance(60_000);
    }
    const reason = expect.stringMatching(/no output for \d+ min, last line "step 7"/);
    expect(await finish(deployment)).toMatchObject({ state: "failed", reason });
  });

  it("takes a result that came in time, even if the poll is late", async () => {
    const deployment = await deployed("dep", { timeout: 8 });
    await signal(deployment, {});
    deployment.at.clock.advance(60_000);
    expect(await finish(deployment)).toMatchObject({ state: "finished" });
  });

  it("gives up a deletion without an answer", async () => {
    const { at, given: ids } = await site();
    const row = aRow(TYPE, "dep");
    const given = { ...ids, actions: ["DELETE"], timeout: 8 };
    await act(at, row, "CREATE", given);
    await documentOf(at);
    const deletion = await started(at, row, "DELETE", given);
    at.clock.advance(8_000);
    expect(await finish(deletion)).toEqual({
      state: "finished",
      physicalResourceId: null,
      note: expect.stringMatching(/^DELETE ended without an answer: No signal within 8 seconds; /),
    });
    expect(at.softwareConfigs.deployments()).toEqual([]);
  });
});
