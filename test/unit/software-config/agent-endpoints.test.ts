import { describe, expect, it } from "vitest";
import { assert, present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { readWholeOutput } from "#lib/software-config/deployments/printed-output.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { SIGNAL_BYTES_MAX } from "#lib/software-config/signals/signal-body.ts";
import { aCall, act, aRow, call, type World } from "#test/unit/resources/world.ts";
import {
  type Deployed,
  deployed,
  documentOf,
  end,
  queryOf,
  recordOf,
  serverOf,
  signal,
  signalUrlOf,
  statusOf,
  visit,
} from "./deployed.ts";

const messageOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );

describe("the metadata URL", () => {
  const poll = async (at: World, changes: UrlQuery = {}): Promise<JsonObject> => {
    const server = serverOf(at);
    const query = queryOf(metadataUrl(at.ports, server));
    const { document } = await serveMetadata(at.ports, server.id, {
      method: "GET",
      query: { ...query, ...changes },
    });
    return present(document, "document");
  };

  it("serves the same document until a deployment changes", async () => {
    const { at } = await deployed();
    const first = await poll(at);
    at.clock.advance(60_000);
    expect(await poll(at, { applied: "7" })).toEqual(first);
    expect(JSON.stringify(first)).toContain('"deploy_resource_name"');
  });

  it("is refused if its signature is incomplete or wrong", async () => {
    const { at } = await deployed();
    expect(await statusOf(poll(at, { sig: undefined }))).toBe(403);
    expect(await statusOf(poll(at, { sig: "forged" }))).toBe(403);
    expect(await statusOf(poll(at, { gen: "2" }))).toBe(403);
    expect(await statusOf(poll(at, { exp: "x" }))).toBe(403);
  });

  it("tells the agent of a deleted server to stop, and nobody without a signature", async () => {
    const { at } = await deployed();
    const server = serverOf(at);
    const query = queryOf(metadataUrl(at.ports, server));
    const row = { ...aRow("OS::Heat::DeployedServer", "server"), physicalResourceId: server.id };
    await act(at, row, "DELETE");
    const poll = (changes: UrlQuery) =>
      serveMetadata(at.ports, server.id, { method: "GET", query: { ...query, ...changes } });
    expect(at.softwareConfigs.servers()).toEqual([]);
    expect(await statusOf(poll({}))).toBe(410);
    expect(await messageOf(poll({}))).toBe("The server of this URL has been deleted.");
    expect(await statusOf(poll({ applied: "7" }))).toBe(410);
    expect(await statusOf(poll({ sig: "forged" }))).toBe(403);
  });

  it("is revoked by its server's generation and unknown without any record of it", async () => {
    const { at } = await deployed();
    const server = serverOf(at);
    const query = queryOf(metadataUrl(at.ports, server));
    const again = () => serveMetadata(at.ports, server.id, { method: "GET", query });
    await at.softwareConfigs.putServer({ ...server, gen: 2 });
    expect(await statusOf(again())).toBe(410);
    await at.softwareConfigs.deleteServer(server.tenant, server.id);
    expect(await statusOf(again())).toBe(404);
  });

  it("shows no deployment of another tenant", async () => {
    const { at } = await deployed();
    const record = recordOf(at);
    await at.softwareConfigs.publishDeployment({ ...record, id: "foreign", tenant: "other" });
    expect(await poll(at)).toMatchObject({ deployments: [{ name: expect.any(String) }] });
  });
});

describe("a signal", () => {
  const rowOf = ({ at, row }: Deployed) =>
    present(at.store.row("stack-1", `row-${row.name}`), "row");

  it("stores the result, then wakes the resource", async () => {
    const site = await deployed();
    expect(await signal(site, { deploy_status_code: 0 })).toEqual({
      status: 200,
      effect: "result stored",
    });
    const { id } = recordOf(site.at);
    expect(rowOf(site)).toMatchObject({
      signals: 1,
      nextPollAt: site.at.clock.now(),
      signalReason: `Signal: deployment ${id} succeeded`,
    });
    expect(site.at.queue.pending).toMatchObject([{ message: { resourceId: "row-dep" } }]);
  });

  it("counts once: the first result stays, and the event describes it", async () => {
    const site = await deployed();
    await signal(site, { deploy_status_code: 3 });
    expect(await signal(site, { deploy_status_code: 0 })).toEqual({ status: 200, effect: "none" });
    expect(rowOf(site).signalReason).toContain("failed (3)");
    expect(await visit(site)).toMatchObject({
      state: "failed",
    });
  });

  it("of progress only makes an event", async () => {
    const site = await deployed();
    const body = { deploy_status: "IN_PROGRESS", deploy_status_reason: "copying" };
    expect(await signal(site, body)).toEqual({ status: 200, effect: "progress noted" });
    expect(rowOf(site)).toMatchObject({ signals: 0 });
    expect(rowOf(site).signalReason).toMatch(/^Signal: deployment \S+ in progress: copying$/);
    expect(site.at.queue.pending).toEqual([]);
    expect(await visit(site)).toMatchObject({
      state: "waiting",
    });
  });

  it("has no effect after the deployment has ended", async () => {
    const site = await deployed();
    await end(site, {});
    expect(await signal(site, { deploy_status_code: 1 })).toEqual({ status: 200, effect: "none" });
    expect(site.at.blobs.keys()).toEqual([]);
  });

  it("for an earlier action of the deployment has no effect", async () => {
    const site = await deployed();
    const earlier = await signalUrlOf(site);
    await end(site, {});
    await act(site.at, site.row, "UPDATE", { ...site.row.properties, input_values: { a: 1 } });
    expect(await signal(site, { deploy_status_code: 1 }, earlier)).toMatchObject({
      effect: "none",
    });
    expect(site.at.softwareConfigs.deployments()).toMatchObject([{ status: "IN_PROGRESS" }]);
  });

  it("for a deleted deployment gets 410", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    await act(site.at, site.row, "DELETE");
    expect(await statusOf(signal(site, {}, url))).toBe(410);
  });

  it("is refused if its signature is wrong, it is too late or its id is unknown", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const wrong = messageOf(signal(site, {}, url.replace(/sig=.*/, "sig=forged")));
    const stretched = url.replace(/exp=\d+/, "exp=99999999999");
    expect(await statusOf(signal(site, {}, stretched))).toBe(403);
    const unknown = receiveSignal(site.at.ports, "unknown", {
      method: "PUT",
      query: queryOf(url),
      body: "{}",
    });
    expect(await statusOf(unknown)).toBe(404);
    site.at.clock.advance(3 * 3_600_000);
    expect(await statusOf(signal(site, {}, url))).toBe(403);
    expect(await messageOf(signal(site, {}, url))).not.toBe(await wrong);
  });

  it("is refused if it is too large, not JSON or not a signal", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const send = (body: string) =>
      statusOf(
        receiveSignal(site.at.ports, site.handle, { method: "PUT", query: queryOf(url), body }),
      );
    const tooLarge = JSON.stringify({ deploy_stdout: "é".repeat(SIGNAL_BYTES_MAX / 2) });
    expect(await send(tooLarge)).toBe(413);
    expect(await send("{")).toBe(400);
    expect(await send('["a"]')).toBe(400);
    expect(await send('"text"')).toBe(400);
    expect(await send('{"deploy_status": "DONE"}')).toBe(400);
  });

  it.each(["", "null", "{}"])("with the body %j means success", async (body) => {
    const site = await deployed();
    const query = queryOf(await signalUrlOf(site));
    expect(
      await receiveSignal(site.at.ports, site.handle, { method: "PUT", query, body }),
    ).toMatchObject({
      effect: "result stored",
    });
    expect(await visit(site)).toMatchObject({
      state: "finished",
    });
  });

  it("of almost a mebibyte is stored whole", async () => {
    const site = await deployed();
    const deploy_stdout = "x".repeat(940_000);
    await signal(site, { deploy_stdout });
    const progress = await visit(site);
    assert(progress.state === "finished", progress.state);
    const record = recordOf(site.at);
    expect(await readWholeOutput(site.at.ports, record, "deploy_stdout")).toBe(deploy_stdout);
  });

  it("of one site cannot be sent to another", async () => {
    const [site, other] = [await deployed(), await deployed("other")];
    const query = queryOf(await signalUrlOf(other));
    const misused = receiveSignal(site.at.ports, site.handle, {
      method: "PUT",
      query,
      body: "{}",
    });
    expect(await statusOf(misused)).toBe(403);
  });
});

describe("a deployment whose operation starts twice", () => {
  it("is published once, with one id for the agent", async () => {
    const { at, row, request } = await deployed();
    const before = await documentOf(at);
    await call(at, row, request);
    await call(at, aRow(row.type, row.name), await aCall(at, row, "CREATE", request.properties));
    expect(at.softwareConfigs.deployments()).toHaveLength(1);
    expect(before.deployments).toHaveLength(1);
  });
});
