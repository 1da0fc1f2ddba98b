/** What is noted of polls and signals, and what that costs. */
import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import {
  OUTPUT_TAIL_CHARS_MAX,
  POLL_NOTE_INTERVAL_MS,
} from "#lib/software-config/diagnosis/limits.ts";
import { isDocumentVersion } from "#lib/software-config/document/document-version.ts";
import { type PollRequest, serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { act, type World } from "#test/unit/resources/world.ts";
import { type Deployed, deployed, queryOf, signal, signalUrlOf } from "../deployed.ts";

const AGENT = { address: "192.0.2.7", agent: "os-collect-config" };

/** Asks with the URL that the owner has been given, and more in its query. */
const poll = async (
  { softwareConfigs, ports }: World,
  more: UrlQuery = {},
  request: Partial<PollRequest> = {},
) => {
  const server = present(softwareConfigs.servers()[0], "server");
  const query = { ...queryOf(metadataUrl(ports, server)), ...more };
  return serveMetadata(ports, server.id, { method: "GET", sender: AGENT, ...request, query });
};

const handedOutUrl = (document: JsonObject | null): string => {
  const [, url = ""] = /"metadata_url":"([^"]+)"/.exec(JSON.stringify(document)) ?? [];
  return url;
};

/** The version that the document tells its agent to echo. */
const versionIn = (document: JsonObject | null): string =>
  new URL(handedOutUrl(document)).searchParams.get("applied") ?? "";

const serverOf = ({ softwareConfigs }: World) =>
  present(softwareConfigs.serverSightings()[0], "a sighting of the server");

const deliveryOf = ({ softwareConfigs }: World) =>
  present(softwareConfigs.deliverySightings()[0], "a sighting of the delivery");

/** The store's methods as they are called, by name. */
const callsDuring = async (
  { ports }: World,
  work: (counted: World["ports"]) => Promise<unknown>,
): Promise<readonly string[]> => {
  const calls: string[] = [];
  const softwareConfigs = new Proxy(ports.softwareConfigs, {
    get: (store, name, receiver) => {
      calls.push(String(name));
      return Reflect.get(store, name, receiver);
    },
  });
  await work({ ...ports, softwareConfigs });
  return calls;
};

describe("the version of a document", () => {
  it("is handed out in the URL of the next poll, and stays while nothing changes", async () => {
    const { at } = await deployed();
    const { document, etag } = await poll(at);
    const version = versionIn(document);
    expect(isDocumentVersion(version)).toBe(true);
    at.clock.advance(3_600_000);
    const echo = await poll(at, { applied: version });
    expect([echo.document, echo.etag]).toEqual([document, etag]);
    const { document: same } = await poll(at, queryOf(handedOutUrl(document)));
    expect(same).toEqual(document);
  });

  it("is another one when a deployment is run again, and with it the tag", async () => {
    const { at, row } = await deployed();
    const before = await poll(at);
    await act(at, row, "UPDATE", { ...row.properties, input_values: { a: 1 } });
    const after = await poll(at, {}, { ifNoneMatch: before.etag });
    expect(after.isUnchanged).toBe(false);
    expect(versionIn(after.document)).not.toBe(versionIn(before.document));
  });

  it("is not in the attribute that the owner wires the agent with", async () => {
    const { at } = await deployed();
    const server = present(at.softwareConfigs.servers()[0], "server");
    expect(metadataUrl(at.ports, server)).not.toContain("applied");
  });

  it("is known without decrypting anything, and tells an agent that has it so", async () => {
    const { at } = await deployed();
    const { etag } = await poll(at);
    const sealed = { ...at.ports.cipher, open: () => Promise.reject(new Error("decrypted")) };
    const ports = { ...at.ports, cipher: sealed };
    const unchanged = await poll({ ...at, ports }, {}, { ifNoneMatch: etag });
    expect(unchanged).toEqual({ document: null, etag, isUnchanged: true });
    const head = await poll({ ...at, ports }, {}, { method: "HEAD" });
    expect(head).toEqual({ document: null, etag, isUnchanged: false });
  });

  it("is known by a tag that a compressing proxy has made weak, and by one of several", async () => {
    const { at } = await deployed();
    const { etag } = await poll(at);
    const isUnchanged = async (ifNoneMatch: string) =>
      (await poll(at, {}, { ifNoneMatch })).isUnchanged;
    expect(await isUnchanged(`W/${etag}`)).toBe(true);
    expect(await isUnchanged(`"other", ${etag}`)).toBe(true);
    expect(await isUnchanged("*")).toBe(true);
    expect(await isUnchanged(`W/"other", "another"`)).toBe(false);
  });
});

describe("a poll", () => {
  it("is noted with who sent it, and what it was served first", async () => {
    const { at, handle } = await deployed();
    const now = at.clock.now();
    const { document } = await poll(at);
    expect(serverOf(at)).toMatchObject({
      ...{ firstPollAt: now, lastPollAt: now, servedAt: now, appliedVersion: null },
      ...{ servedVersion: versionIn(document), address: "192.0.2.7", agent: "os-collect-config" },
    });
    expect(deliveryOf(at)).toMatchObject({
      ...{ derivedConfigId: handle, publishedAt: now, fetchedAt: now, appliedAt: null },
      tool: "script",
    });
  });

  it("that echoes the version says that what it was served is applied, also when it gets a 304", async () => {
    const { at } = await deployed();
    const { document, etag } = await poll(at);
    at.clock.advance(5_000);
    const applied = versionIn(document);
    await poll(at, { applied: "ba9876543210" });
    expect(deliveryOf(at).appliedAt).toBeNull();
    await poll(at, { applied }, { ifNoneMatch: etag });
    const now = at.clock.now();
    expect(serverOf(at)).toMatchObject({ appliedVersion: applied, appliedAt: now });
    expect(deliveryOf(at)).toMatchObject({ appliedAt: now });
  });

  it("that echoes a version says nothing of what came after it", async () => {
    const { at } = await deployed();
    const { document } = await poll(at);
    const record = present(at.softwareConfigs.deployments()[0], "deployment");
    const later = { ...record, id: "later", derivedConfigId: "derived-later" };
    await at.softwareConfigs.publishDeployment(later);
    await poll(at, { applied: versionIn(document) });
    expect(at.softwareConfigs.deliverySightings()).toMatchObject([
      { appliedAt: at.clock.now() },
      { fetchedAt: at.clock.now(), appliedAt: null },
    ]);
  });

  it("costs one read beside the document, and a write once in a while only", async () => {
    const { at } = await deployed();
    await poll(at);
    at.clock.advance(POLL_NOTE_INTERVAL_MS - 1);
    const idle = ["getServer", "listDeployments", "getServerSighting"];
    expect(await callsDuring(at, (ports) => poll({ ...at, ports }))).toEqual(idle);
    at.clock.advance(1);
    const noted = [...idle, "noteServer"];
    expect(await callsDuring(at, (ports) => poll({ ...at, ports }))).toEqual(noted);
    const head = await callsDuring(at, (ports) => poll({ ...at, ports }, {}, { method: "HEAD" }));
    expect(head).toEqual(["getServer", "listDeployments"]);
    expect(serverOf(at).lastPollAt).toBe(at.clock.now());
  });

  it("of the bootstrap script is a step of the boot, and no poll of the agent", async () => {
    const { at } = await deployed();
    const begunAt = at.clock.now();
    const { document } = await poll(at, { boot: "begun" });
    expect(document).not.toBeNull();
    at.clock.advance(1_000);
    await poll(at, { boot: "installed" });
    expect(serverOf(at)).toMatchObject({
      ...{ bootBegunAt: begunAt, bootInstalledAt: begunAt + 1_000, bootFailedAt: null },
      ...{ firstPollAt: null, servedVersion: null },
    });
    expect(at.softwareConfigs.deliverySightings()).toEqual([]);
  });

  it("may tell the agent's tools and a result that it could not deliver; nonsense is left out", async () => {
    const { at, handle } = await deployed();
    const handleId = handle.padEnd(36, "0");
    await poll(at, { hooks: "script,ansible", unsent: handleId });
    expect(serverOf(at)).toMatchObject({
      tools: ["script", "ansible"],
      unsentConfigId: handleId,
    });
    await poll(at, { hooks: "<b>", unsent: "x".repeat(500), boot: "melted" });
    expect(serverOf(at)).toMatchObject({ tools: null, unsentConfigId: null });
  });

  it("is noted with no more of its sender than fits a line", async () => {
    const { at } = await deployed();
    const sender = { address: "x".repeat(1_000), agent: `a\u0007${"y".repeat(1_000)}` };
    await poll(at, {}, { sender });
    const { address, agent } = serverOf(at);
    expect([address?.length, agent?.length]).toEqual([64, 120]);
    expect(agent?.startsWith("a?y")).toBe(true);
  });
});

describe("a signal", () => {
  const progress = (site: Deployed, more: JsonObject = {}) =>
    signal(site, { deploy_status: "IN_PROGRESS", deploy_status_reason: "copying", ...more });

  it("of progress is noted: when the first and the last came, how many, and what they said", async () => {
    const site = await deployed();
    const { at } = site;
    const startedAt = at.clock.now();
    await progress(site);
    at.clock.advance(60_000);
    const deploy_stdout = `${"x".repeat(2 * OUTPUT_TAIL_CHARS_MAX)}the end`;
    await progress(site, { deploy_stdout, deploy_status_reason: "almost" });
    const seen = deliveryOf(at);
    expect(seen).toMatchObject({
      ...{ startedAt, heardAt: at.clock.now(), heartbeats: 2, progressReason: "almost" },
      ...{ endedAt: null, outputTailAt: at.clock.now() },
    });
    const tail = await at.ports.cipher.open("demo/stack-1", seen.outputTail ?? "");
    expect(JSON.parse(tail)).toEqual({
      deploy_stdout: deploy_stdout.slice(-OUTPUT_TAIL_CHARS_MAX),
      deploy_stderr: "",
    });
  });

  it("that brings the result is noted as the end, and one without effect is not", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const endedAt = site.at.clock.now();
    await signal(site, {}, url);
    site.at.clock.advance(1_000);
    await signal(site, { deploy_status_code: 1 }, url);
    expect(deliveryOf(site.at)).toMatchObject({ heardAt: endedAt, endedAt, startedAt: null });
  });
});
