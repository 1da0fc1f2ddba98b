/** The table of what is only noted has a throughput of its own: agents must not feel that it is busy. */
import { describe, expect, it } from "vitest";
import { present, RetryLater } from "#lib/errors.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { look } from "#test/unit/resources/world.ts";
import { deployed, queryOf, signalUrlOf } from "./deployed.ts";

const open = async () => {
  const site = await deployed();
  const { ports } = site.at;
  const url = await signalUrlOf(site);
  const busy = () => Promise.reject(new RetryLater("throttled"));
  const softwareConfigs = {
    ...ports.softwareConfigs,
    ...{ addEvidence: busy, getEvidence: busy, noteServer: busy, getServerSighting: busy },
    ...{ noteDelivery: busy, getDelivery: busy, listDeliveries: busy },
  };
  const server = present(site.at.softwareConfigs.servers()[0], "server");
  const poll = (changes: UrlQuery = {}) =>
    serveMetadata({ ...ports, softwareConfigs }, server.id, {
      method: "GET",
      query: { ...queryOf(metadataUrl(ports, server)), ...changes },
    });
  const send = (body: string, changes: UrlQuery = {}) =>
    receiveSignal({ ...ports, softwareConfigs }, new URL(url).pathname.split("/").at(-1) ?? "", {
      method: "POST",
      query: { ...queryOf(url), ...changes },
      body,
    });
  return { site, poll, send };
};

describe("while nothing can be noted", () => {
  it("an agent gets its document, and is refused as ever", async () => {
    const { poll } = await open();
    expect((await poll()).document).toMatchObject({ deployments: [{ name: expect.any(String) }] });
    await expect(poll({ sig: "forged" })).rejects.toMatchObject({ status: 403 });
  });

  it("a step of a boot, which is told once, is asked for again", async () => {
    const { poll } = await open();
    await expect(poll({ boot: "begun" })).rejects.toBeInstanceOf(RetryLater);
  });

  it("a signal has its effect and its answer, and one without effect its own", async () => {
    const { site, send } = await open();
    await expect(send("{}", { sig: "forged" })).rejects.toMatchObject({ status: 403 });
    const progress = JSON.stringify({ deploy_status: "IN_PROGRESS" });
    expect(await send(progress)).toMatchObject({ effect: "progress noted" });
    const result = JSON.stringify({ deploy_status_code: 0 });
    expect(await send(result)).toMatchObject({ effect: "result stored" });
    expect(await send(result)).toMatchObject({ effect: "none" });
    const { at, row, request, handle } = site;
    expect(await look(at, row, request, handle)).toMatchObject({ state: "finished" });
  });
});
