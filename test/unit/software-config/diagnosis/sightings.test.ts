import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import {
  openDerivedConfig,
  sealDeploymentField,
} from "#lib/software-config/configs/config-content.ts";
import {
  OUTPUT_TAIL_CHARS_MAX,
  POLL_NOTE_INTERVAL_MS,
} from "#lib/software-config/diagnosis/limits.ts";
import { tailPlace } from "#lib/software-config/diagnosis/overtaken-runs.ts";
import { isDocumentVersion } from "#lib/software-config/document/document-version.ts";
import { type PollRequest, serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { act, type World } from "#test/unit/resources/world.ts";
import {
  type Deployed,
  deployed,
  queryOf,
  recordOf,
  serverOf,
  signal,
  signalUrlOf,
} from "../deployed.ts";

const AGENT = { address: "192.0.2.7", agent: "os-collect-config" };

const poll = async (at: World, more: UrlQuery = {}, request: Partial<PollRequest> = {}) => {
  const server = serverOf(at);
  const query = { ...queryOf(metadataUrl(at.ports, server)), ...more };
  return serveMetadata(at.ports, server.id, { method: "GET", sender: AGENT, ...request, query });
};

const urlIn = (document: JsonObject | null): string => {
  const [, url = ""] = /"metadata_url":"([^"]+)"/.exec(JSON.stringify(document)) ?? [];
  return url;
};

const versionIn = (document: JsonObject | null): string =>
  new URL(urlIn(document)).searchParams.get("applied") ?? "";

const serverSightingOf = ({ softwareConfigs }: World) =>
  present(softwareConfigs.serverSightings()[0], "a sighting of the server");

const deliverySightingOf = ({ softwareConfigs }: World) =>
  present(softwareConfigs.deliverySightings()[0], "a sighting of the delivery");

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
  it("is in the URL of the next poll, and stays while nothing changes", async () => {
    const { at } = await deployed();
    const { document, etag } = await poll(at);
    const version = versionIn(document);
    expect(isDocumentVersion(version)).toBe(true);
    at.clock.advance(3_600_000);
    const echo = await poll(at, { applied: version });
    expect([echo.document, echo.etag]).toEqual([document, etag]);
    const { document: same } = await poll(at, queryOf(urlIn(document)));
    expect(same).toEqual(document);
  });

  it("changes with the ETag when a deployment runs again", async () => {
    const { at, row } = await deployed();
    const before = await poll(at);
    await act(at, row, "UPDATE", { ...row.properties, input_values: { a: 1 } });
    const after = await poll(at, {}, { ifNoneMatch: before.etag ?? "" });
    expect(after.isUnchanged).toBe(false);
    expect(versionIn(after.document)).not.toBe(versionIn(before.document));
  });

  it("is not in the URL that the owner gives to the agent", async () => {
    const { at } = await deployed();
    const server = serverOf(at);
    expect(metadataUrl(at.ports, server)).not.toContain("applied");
  });

  it("needs no decryption, and neither does the answer to an agent that has it", async () => {
    const { at } = await deployed();
    const { etag } = await poll(at);
    const sealed = { ...at.ports.cipher, open: () => Promise.reject(new Error("decrypted")) };
    const ports = { ...at.ports, cipher: sealed };
    const unchanged = await poll({ ...at, ports }, {}, { ifNoneMatch: etag ?? "" });
    expect(unchanged).toEqual({ document: null, etag, isUnchanged: true });
    const head = await poll({ ...at, ports }, {}, { method: "HEAD" });
    expect(head).toEqual({ document: null, etag: null, isUnchanged: false });
  });

  it("is recognized by a weak tag from a compressing proxy, and by one of several tags", async () => {
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
  it("is noted with its sender and the version that it was served", async () => {
    const { at, handle } = await deployed();
    const now = at.clock.now();
    const { document } = await poll(at);
    expect(serverSightingOf(at)).toMatchObject({
      firstPollAt: now,
      lastPollAt: now,
      servedAt: now,
      appliedVersion: null,
      servedVersion: versionIn(document),
      address: "192.0.2.7",
      agent: "os-collect-config",
    });
    expect(deliverySightingOf(at)).toMatchObject({
      derivedConfigId: handle,
      publishedAt: now,
      fetchedAt: now,
      appliedAt: null,
      tool: "script",
    });
  });

  it("that echoes the version reports it as applied, even if it gets a 304", async () => {
    const { at } = await deployed();
    const { document, etag } = await poll(at);
    at.clock.advance(5_000);
    const applied = versionIn(document);
    await poll(at, { applied: "ba9876543210" });
    expect(deliverySightingOf(at).appliedAt).toBeNull();
    await poll(at, { applied }, { ifNoneMatch: etag ?? "" });
    const now = at.clock.now();
    expect(serverSightingOf(at)).toMatchObject({ appliedVersion: applied, appliedAt: now });
    expect(deliverySightingOf(at)).toMatchObject({ appliedAt: now });
  });

  it("that echoes a version reports nothing about later deliveries", async () => {
    const { at } = await deployed();
    const { document } = await poll(at);
    const record = recordOf(at);
    const { cipher } = at.ports;
    const content = await openDerivedConfig(cipher, record);
    const other = { ...record, id: "later", derivedConfigId: "derived-later" };
    const derivedConfig = await sealDeploymentField(cipher, other, "derivedConfig", content);
    const later = { ...other, derivedConfig };
    await at.softwareConfigs.publishDeployment(later);
    await poll(at, { applied: versionIn(document) });
    expect(at.softwareConfigs.deliverySightings()).toMatchObject([
      { appliedAt: at.clock.now() },
      { fetchedAt: at.clock.now(), appliedAt: null },
    ]);
  });

  it("costs one read besides the document, and a write only once per interval", async () => {
    const { at } = await deployed();
    await poll(at);
    at.clock.advance(POLL_NOTE_INTERVAL_MS - 1);
    const idle = ["getServer", "listDeployments", "getServerSighting"];
    expect(await callsDuring(at, (ports) => poll({ ...at, ports }))).toEqual(idle);
    at.clock.advance(1);
    const noted = [...idle, "noteServer"];
    expect(await callsDuring(at, (ports) => poll({ ...at, ports }))).toEqual(noted);
    const head = await callsDuring(at, (ports) => poll({ ...at, ports }, {}, { method: "HEAD" }));
    expect(head).toEqual([]);
    expect(serverSightingOf(at).lastPollAt).toBe(at.clock.now());
  });

  it("of the bootstrap script is a boot step, not a poll of the agent", async () => {
    const { at } = await deployed();
    const begunAt = at.clock.now();
    const { document } = await poll(at, { boot: "begun" });
    expect(document).not.toBeNull();
    at.clock.advance(1_000);
    await poll(at, { boot: "installed" });
    expect(serverSightingOf(at)).toMatchObject({
      bootBegunAt: begunAt,
      bootInstalledAt: begunAt + 1_000,
      bootFailedAt: null,
      firstPollAt: null,
      servedVersion: null,
    });
    expect(at.softwareConfigs.deliverySightings()).toEqual([]);
  });

  it("may report the agent's tools and an undelivered result; invalid texts are ignored", async () => {
    const { at, handle } = await deployed();
    const handleId = handle.padEnd(36, "0");
    await poll(at, { hooks: "script,ansible", unsent: handleId });
    expect(serverSightingOf(at)).toMatchObject({
      tools: ["script", "ansible"],
      unsentConfigId: handleId,
    });
    await poll(at, { hooks: "<b>", unsent: "x".repeat(500), boot: "melted" });
    expect(serverSightingOf(at)).toMatchObject({ tools: null, unsentConfigId: null });
  });

  it("is noted with a short printable name of its sender", async () => {
    const { at } = await deployed();
    const sender = { address: "x".repeat(1_000), agent: `a\u0007${"y".repeat(1_000)}` };
    await poll(at, {}, { sender });
    const { address, agent } = serverSightingOf(at);
    expect([address?.length, agent?.length]).toEqual([64, 120]);
    expect(agent?.startsWith("a?y")).toBe(true);
  });
});

describe("a signal", () => {
  const progress = (site: Deployed, more: JsonObject = {}) =>
    signal(site, { deploy_status: "IN_PROGRESS", deploy_status_reason: "copying", ...more });

  it("of progress is noted with the first and last time, the count and the last text", async () => {
    const site = await deployed();
    const { at } = site;
    const startedAt = at.clock.now();
    await progress(site);
    at.clock.advance(60_000);
    const deploy_stdout = `${"x".repeat(2 * OUTPUT_TAIL_CHARS_MAX)}the end`;
    await progress(site, { deploy_stdout, deploy_status_reason: "almost" });
    const seen = deliverySightingOf(at);
    expect(seen).toMatchObject({
      startedAt,
      heardAt: at.clock.now(),
      heartbeats: 2,
      progressReason: "almost",
      endedAt: null,
      outputTailAt: at.clock.now(),
    });
    const changedAt = at.clock.now();
    at.clock.advance(60_000);
    await progress(site, { deploy_stdout });
    expect(deliverySightingOf(at)).toMatchObject({ heartbeats: 3, outputTailAt: changedAt });
    at.clock.advance(60_000);
    await progress(site, { deploy_stdout, deploy_stderr: "oops" });
    expect(deliverySightingOf(at)).toMatchObject({ outputTailAt: changedAt + 120_000 });
    const tail = await at.ports.cipher.open(tailPlace(seen), seen.outputTail ?? "");
    expect(JSON.parse(tail)).toEqual({
      deploy_stdout: deploy_stdout.slice(-OUTPUT_TAIL_CHARS_MAX),
      deploy_stderr: "",
    });
  });

  it("with the result is noted as the end; one without effect is not noted", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const endedAt = site.at.clock.now();
    await signal(site, {}, url);
    site.at.clock.advance(1_000);
    await signal(site, { deploy_status_code: 1 }, url);
    expect(deliverySightingOf(site.at)).toMatchObject({
      heardAt: endedAt,
      endedAt,
      startedAt: null,
    });
  });
});
