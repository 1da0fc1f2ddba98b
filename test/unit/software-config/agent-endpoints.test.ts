import { describe, expect, it } from "vitest";
import { assert, present, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { readWholeOutput } from "#lib/software-config/deployments/printed-output.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { SIGNAL_BYTES_MAX } from "#lib/software-config/signals/signal-body.ts";
import { aCall, act, aRow, call, keep, look, type World } from "#test/unit/resources/world.ts";
import { type Deployed, deployed, documentOf, queryOf, signal, signalUrlOf } from "./deployed.ts";

const refusal = async (attempt: Promise<unknown>): Promise<{ code: string; status: number }> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof RequestError) return { code: error.code, status: error.status };
    throw error;
  }
  throw new Error("it was not refused");
};

const textOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );

describe("the metadata URL", () => {
  const poll = async (at: World, changes: UrlQuery = {}): Promise<JsonObject> => {
    const server = present(at.softwareConfigs.servers()[0], "server");
    const query = queryOf(metadataUrl(at.ports, server));
    const { document } = await serveMetadata(at.ports, server.id, {
      method: "GET",
      query: { ...query, ...changes },
    });
    return present(document, "document");
  };

  it("serves the same document, with its own URL in it, until a deployment changes", async () => {
    const { at } = await deployed();
    const first = await poll(at);
    at.clock.advance(60_000);
    expect(await poll(at, { applied: "7" })).toEqual(first);
    expect(JSON.stringify(first)).toContain('"deploy_resource_name"');
  });

  it("is refused without its whole signature, or with another one", async () => {
    const { at } = await deployed();
    expect(await refusal(poll(at, { sig: undefined }))).toMatchObject({ status: 403 });
    expect(await refusal(poll(at, { sig: "forged" }))).toMatchObject({ status: 403 });
    expect(await refusal(poll(at, { gen: "2" }))).toMatchObject({ status: 403 });
    expect(await refusal(poll(at, { exp: "x" }))).toMatchObject({ status: 403 });
  });

  it("is revoked by its server's generation, and ends with its server", async () => {
    const { at } = await deployed();
    const server = present(at.softwareConfigs.servers()[0], "server");
    const query = queryOf(metadataUrl(at.ports, server));
    await at.softwareConfigs.putServer({ ...server, gen: 2 });
    expect(
      await refusal(serveMetadata(at.ports, server.id, { method: "GET", query })),
    ).toMatchObject({ status: 410 });
    await at.softwareConfigs.deleteServer(server.id);
    expect(
      await refusal(serveMetadata(at.ports, server.id, { method: "GET", query })),
    ).toMatchObject({ status: 404 });
  });

  it("shows no deployment of another tenant", async () => {
    const { at } = await deployed();
    const record = present(at.softwareConfigs.deployments()[0], "deployment");
    await at.softwareConfigs.publishDeployment({ ...record, id: "foreign", tenant: "other" });
    expect(await poll(at)).toMatchObject({ deployments: [{ name: expect.any(String) }] });
  });
});

describe("a signal", () => {
  const rowOf = ({ at, row }: Deployed) =>
    present(at.store.row("stack-1", `row-${row.name}`), "row");

  it("stores its result and then wakes the resource", async () => {
    const site = await deployed();
    expect(await signal(site, { deploy_status_code: 0 })).toEqual({
      status: 200,
      effect: "result stored",
    });
    const [deployment] = site.at.softwareConfigs.deployments();
    expect(rowOf(site)).toMatchObject({
      signals: 1,
      nextPollAt: site.at.clock.now(),
      signalReason: `Signal: deployment ${deployment?.id} succeeded`,
    });
    expect(site.at.queue.pending).toMatchObject([{ message: { resourceId: "row-dep" } }]);
  });

  it("counts once: the first result stays, and the event tells of the first", async () => {
    const site = await deployed();
    await signal(site, { deploy_status_code: 3 });
    expect(await signal(site, { deploy_status_code: 0 })).toEqual({ status: 200, effect: "none" });
    expect(rowOf(site).signalReason).toContain("failed (3)");
    expect(await look(site.at, site.row, site.request, site.handle)).toMatchObject({
      state: "failed",
    });
  });

  it("of progress makes an event and nothing else", async () => {
    const site = await deployed();
    const body = { deploy_status: "IN_PROGRESS", deploy_status_reason: "copying" };
    expect(await signal(site, body)).toEqual({ status: 200, effect: "progress noted" });
    expect(rowOf(site)).toMatchObject({ signals: 0 });
    expect(rowOf(site).signalReason).toMatch(/^Signal: deployment \S+ in progress: copying$/);
    expect(site.at.queue.pending).toEqual([]);
    expect(await look(site.at, site.row, site.request, site.handle)).toMatchObject({
      state: "waiting",
    });
  });

  it("is without effect once the deployment has ended", async () => {
    const site = await deployed();
    await signal(site, {});
    await look(site.at, site.row, site.request, site.handle);
    expect(await signal(site, { deploy_status_code: 1 })).toEqual({ status: 200, effect: "none" });
    expect(site.at.blobs.keys()).toEqual([]);
  });

  it("for an earlier action of the deployment is without effect", async () => {
    const site = await deployed();
    const earlier = await signalUrlOf(site);
    await signal(site, {});
    keep(site.row, site.request, await look(site.at, site.row, site.request, site.handle));
    await act(site.at, site.row, "UPDATE", { ...site.row.properties, input_values: { a: 1 } });
    expect(await signal(site, { deploy_status_code: 1 }, earlier)).toMatchObject({
      effect: "none",
    });
    expect(site.at.softwareConfigs.deployments()).toMatchObject([{ status: "IN_PROGRESS" }]);
  });

  it("for a deployment that is gone is told so", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    await act(site.at, site.row, "DELETE");
    expect(await refusal(signal(site, {}, url))).toMatchObject({ code: "HTTPGone", status: 410 });
  });

  it("is refused when it is signed wrongly, too late, or for nobody", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const wrong = textOf(signal(site, {}, url.replace(/sig=.*/, "sig=forged")));
    const stretched = url.replace(/exp=\d+/, "exp=99999999999");
    expect(await refusal(signal(site, {}, stretched))).toMatchObject({ status: 403 });
    const nobody = receiveSignal(site.at.ports, "nobody", {
      method: "PUT",
      query: queryOf(url),
      body: "{}",
    });
    expect(await refusal(nobody)).toMatchObject({ status: 404 });
    site.at.clock.advance(3 * 3_600_000);
    expect(await refusal(signal(site, {}, url))).toMatchObject({ status: 403 });
    expect(await textOf(signal(site, {}, url))).not.toBe(await wrong);
  });

  it("is refused when it is too large, no JSON or no object", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const send = (body: string) =>
      refusal(
        receiveSignal(site.at.ports, site.handle, { method: "PUT", query: queryOf(url), body }),
      );
    const tooLarge = JSON.stringify({ deploy_stdout: "é".repeat(SIGNAL_BYTES_MAX / 2) });
    expect(await send(tooLarge)).toEqual({ code: "RequestEntityTooLarge", status: 413 });
    expect(await send("{")).toMatchObject({ status: 400 });
    expect(await send('["a"]')).toMatchObject({ status: 400 });
    expect(await send('"text"')).toMatchObject({ status: 400 });
    expect(await send('{"deploy_status": "DONE"}')).toMatchObject({ status: 400 });
  });

  it.each(["", "null", "{}"])("with the body %j counts as success", async (body) => {
    const site = await deployed();
    const query = queryOf(await signalUrlOf(site));
    expect(
      await receiveSignal(site.at.ports, site.handle, { method: "PUT", query, body }),
    ).toMatchObject({
      effect: "result stored",
    });
    expect(await look(site.at, site.row, site.request, site.handle)).toMatchObject({
      state: "finished",
    });
  });

  it("of almost a mebibyte is taken whole", async () => {
    const site = await deployed();
    const deploy_stdout = "x".repeat(940_000);
    await signal(site, { deploy_stdout });
    const progress = await look(site.at, site.row, site.request, site.handle);
    assert(progress.state === "finished", progress.state);
    const record = present(site.at.softwareConfigs.deployments()[0], "deployment");
    expect(await readWholeOutput(site.at.ports, record, "deploy_stdout")).toBe(deploy_stdout);
  });

  it("of one site cannot be used for another", async () => {
    const [site, other] = [await deployed(), await deployed("other")];
    const query = queryOf(await signalUrlOf(other));
    const misused = receiveSignal(site.at.ports, site.handle, {
      method: "PUT",
      query,
      body: "{}",
    });
    expect(await refusal(misused)).toMatchObject({ status: 403 });
  });
});

describe("a deployment that is started twice", () => {
  it("is one deployment, with one id for the agent", async () => {
    const { at, row, request } = await deployed();
    const before = await documentOf(at);
    await call(at, row, request);
    await call(at, aRow(row.type, row.name), aCall(at, row, "CREATE", request.properties));
    expect(at.softwareConfigs.deployments()).toHaveLength(1);
    expect(before.deployments).toHaveLength(1);
  });
});
