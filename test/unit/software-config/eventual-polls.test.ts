import { describe, expect, it } from "vitest";
import type { ServerDocument } from "#lib/ports/software-config-store.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { type PollMemory, pollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { DOCUMENT_MS_MAX } from "#lib/software-config/document/document-memory.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { act, type World } from "#test/unit/resources/world.ts";
import { deployed, queryOf, serverOf } from "./deployed.ts";

const lagging = ({ ports }: World, stale: ServerDocument) => {
  const readings: string[] = [];
  const softwareConfigs = {
    ...ports.softwareConfigs,
    getServerDocument: async () => {
      readings.push("eventual");
      return stale;
    },
    getDocumentOutline: async () => {
      readings.push("outline");
      return stale;
    },
    getServer: (id: string) => {
      readings.push("strong");
      return ports.softwareConfigs.getServer(id);
    },
  };
  return { ports: { ...ports, softwareConfigs }, readings };
};

const poll = (
  { ports }: Pick<World, "ports">,
  at: World,
  query: UrlQuery = {},
  memory: PollMemory | null = null,
) => {
  const signed = queryOf(metadataUrl(at.ports, serverOf(at)));
  const request = { method: "GET", query: { ...signed, ...query } };
  return serveMetadata(ports, serverOf(at).id, request, memory);
};

const versionIn = (text: string): string => /applied=([0-9a-f]{12})/.exec(text)?.[1] ?? "";

const openSite = async () => {
  const { at, row } = await deployed();
  const before = await at.ports.softwareConfigs.getServerDocument(serverOf(at).id, "strong");
  const old = versionIn(JSON.stringify((await poll(at, at)).document));
  await act(at, row, "UPDATE", { ...row.properties, input_values: { a: 1 } });
  const current = versionIn(JSON.stringify((await poll(at, at)).document));
  return { at, before, old, current };
};

describe("a poll with a replica that lags", () => {
  it("gets the new document if it has applied the new one, and so nothing older", async () => {
    const { at, before, current } = await openSite();
    const { ports, readings } = lagging(at, before);
    const { document } = await poll({ ports }, at, { applied: current });
    expect(versionIn(JSON.stringify(document))).toBe(current);
    expect(readings).toEqual(["eventual", "strong"]);
  });

  it("gets again what it has applied, as if it had come a moment earlier", async () => {
    const { at, before, old } = await openSite();
    const { ports, readings } = lagging(at, before);
    const { document } = await poll({ ports }, at, { applied: old });
    expect(versionIn(JSON.stringify(document))).toBe(old);
    expect(readings).toEqual(["eventual"]);
  });

  it("is read strongly at once if it reports no version, or an unreadable one", async () => {
    const { at, before, current } = await openSite();
    for (const query of [{}, { applied: "x" }]) {
      const { ports, readings } = lagging(at, before);
      const { document } = await poll({ ports }, at, query);
      expect(versionIn(JSON.stringify(document))).toBe(current);
      expect(readings).toEqual(["strong"]);
    }
  });

  it("is not refused for a URL that the replica does not know yet, and leaves no evidence", async () => {
    const { at, current } = await openSite();
    const server = serverOf(at);
    const before = await at.ports.softwareConfigs.getServerDocument(server.id, "strong");
    await at.softwareConfigs.putServer({ ...server, gen: server.gen + 1 });
    for (const stale of [before, { server: null, deployments: [] }]) {
      const { ports, readings } = lagging(at, stale);
      expect((await poll({ ports }, at, { applied: current })).document).not.toBeNull();
      expect(readings).toEqual(["eventual", "strong"]);
    }
    expect(at.softwareConfigs.evidence()).toEqual([]);
  });
});

describe("a poll by a worker that remembers the document", () => {
  const openKnown = async () => {
    const { at, before, old, current } = await openSite();
    const memory = pollMemory("worker");
    await poll(at, at, {}, memory);
    const now = await at.ports.softwareConfigs.getServerDocument(serverOf(at).id, "strong");
    return { at, before, now, old, current, memory };
  };

  it("reads the outline alone, and serves the whole document", async () => {
    const { at, now, current, memory } = await openKnown();
    const { ports, readings } = lagging(at, now);
    const { document } = await poll({ ports }, at, { applied: current }, memory);
    expect(document).toEqual((await poll(at, at)).document);
    expect(readings).toEqual(["outline"]);
  });

  it("is read strongly if the URL in the document has been replaced", async () => {
    const { at, current, memory } = await openKnown();
    const server = serverOf(at);
    await at.softwareConfigs.putServer({ ...server, gen: server.gen + 1 });
    const now = await at.ports.softwareConfigs.getServerDocument(server.id, "strong");
    const { ports, readings } = lagging(at, now);
    const { document } = await poll({ ports }, at, { applied: current }, memory);
    expect(document).toEqual((await poll(at, at)).document);
    expect(readings).toEqual(["outline", "strong"]);
  });

  it("is read strongly if the outline shows another version, older or newer", async () => {
    const { at, before, now, old, current, memory } = await openKnown();
    const lags = lagging(at, before);
    const newest = await poll(lags, at, { applied: current }, memory);
    expect(versionIn(JSON.stringify(newest.document))).toBe(current);
    expect(lags.readings).toEqual(["outline", "strong"]);
    const known = await at.ports.softwareConfigs.getServerDocument(serverOf(at).id, "strong");
    memory.documents.keep(
      { server: serverOf(at), records: known.deployments, version: old },
      at.clock.now(),
    );
    const leads = lagging(at, now);
    const changed = await poll(leads, at, { applied: old }, memory);
    expect(versionIn(JSON.stringify(changed.document))).toBe(current);
    expect(leads.readings).toEqual(["outline", "strong"]);
  });

  it("is refused if the outline and the store know that its URL was revoked", async () => {
    const { at, current, memory } = await openKnown();
    const query = { ...queryOf(metadataUrl(at.ports, serverOf(at))), applied: current };
    const server = serverOf(at);
    await at.softwareConfigs.putServer({ ...server, gen: server.gen + 1 });
    const revoked = serveMetadata(at.ports, server.id, { method: "GET", query }, memory);
    await expect(revoked).rejects.toMatchObject({ status: 410 });
    const [evidence] = at.softwareConfigs.evidence();
    expect(evidence).toMatchObject({ kind: "revoked", serverId: server.id });
  });

  it("is read from the table once an hour, so an index that lags hides nothing for longer", async () => {
    const { at, now, current, memory } = await openKnown();
    at.clock.advance(DOCUMENT_MS_MAX - 1);
    const { ports, readings } = lagging(at, now);
    await poll({ ports }, at, { applied: current }, memory);
    at.clock.advance(1);
    await poll({ ports }, at, { applied: current }, memory);
    await poll({ ports }, at, { applied: current }, memory);
    expect(readings).toEqual(["outline", "eventual", "outline"]);
  });
});

describe("a large document", () => {
  it("lets other requests go on between two deployments", async () => {
    const { at, row } = await deployed();
    await act(at, row, "UPDATE", { ...row.properties, input_values: { a: 1 } });
    const listed = await at.ports.softwareConfigs.listDeployments(serverOf(at).id);
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    const { document } = await poll({ ports: { ...at.ports, turns: { pause } } }, at);
    expect(document).not.toBeNull();
    expect(listed.length).toBeGreaterThan(0);
    expect(pauses).toBe(listed.length);
  });
});
