/** The table of notes has its own throughput. Agents must not notice that it is busy. */
import { describe, expect, it } from "vitest";
import { RetryLater } from "#lib/errors.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { deployed, idIn, queryOf, serverOf, signalUrlOf, visit } from "./deployed.ts";

const openBusySite = async () => {
  const site = await deployed();
  const { ports } = site.at;
  const url = await signalUrlOf(site);
  const busy = () => Promise.reject(new RetryLater("throttled"));
  const softwareConfigs = {
    ...ports.softwareConfigs,
    addEvidence: busy,
    getEvidence: busy,
    noteServer: busy,
    getServerSighting: busy,
    noteDelivery: busy,
    getDelivery: busy,
    listDeliveries: busy,
  };
  const server = serverOf(site.at);
  const poll = (changes: UrlQuery = {}) =>
    serveMetadata({ ...ports, softwareConfigs }, server.id, {
      method: "GET",
      query: { ...queryOf(metadataUrl(ports, server)), ...changes },
    });
  const send = (body: string, changes: UrlQuery = {}) =>
    receiveSignal({ ...ports, softwareConfigs }, idIn(url), {
      method: "POST",
      query: { ...queryOf(url), ...changes },
      body,
    });
  return { site, poll, send };
};

describe("while the table of notes is busy", () => {
  it("an agent gets its document or its refusal as usual", async () => {
    const { poll } = await openBusySite();
    const { document } = await poll({ applied: "0123456789ab" });
    expect(document).toMatchObject({ deployments: [{ name: expect.any(String) }] });
    await expect(poll({ sig: "forged" })).rejects.toMatchObject({ status: 403 });
  });

  it("a first poll is refused, because a DELETE must know whether its server was ever served", async () => {
    const { poll } = await openBusySite();
    await expect(poll()).rejects.toBeInstanceOf(RetryLater);
  });

  it("a boot step, which is reported once, gets an error so that it is sent again", async () => {
    const { poll } = await openBusySite();
    await expect(poll({ boot: "begun" })).rejects.toBeInstanceOf(RetryLater);
  });

  it("a signal has its effect and its answer as usual", async () => {
    const { site, send } = await openBusySite();
    await expect(send("{}", { sig: "forged" })).rejects.toMatchObject({ status: 403 });
    const progress = JSON.stringify({ deploy_status: "IN_PROGRESS" });
    expect(await send(progress)).toMatchObject({ effect: "progress noted" });
    const result = JSON.stringify({ deploy_status_code: 0 });
    expect(await send(result)).toMatchObject({ effect: "result stored" });
    expect(await send(result)).toMatchObject({ effect: "none" });
    expect(await visit(site)).toMatchObject({ state: "finished" });
  });
});
