/** A poll that is answered from an eventual read: never an older document, never a refusal. */
import { describe, expect, it } from "vitest";
import type { ServerDocument } from "#lib/ports/software-config-store.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { act, type World } from "#test/unit/resources/world.ts";
import { deployed, queryOf, serverOf } from "./deployed.ts";

/** The store as a replica shows it that has not got the last writes. */
const lagging = ({ ports }: World, stale: ServerDocument) => {
  const readings: string[] = [];
  const softwareConfigs = {
    ...ports.softwareConfigs,
    getServerDocument: async () => {
      readings.push("eventual");
      return stale;
    },
    getServer: (id: string) => {
      readings.push("strong");
      return ports.softwareConfigs.getServer(id);
    },
  };
  return { ports: { ...ports, softwareConfigs }, readings };
};

const poll = ({ ports }: Pick<World, "ports">, at: World, query: UrlQuery = {}) =>
  serveMetadata(ports, serverOf(at).id, {
    method: "GET",
    query: { ...queryOf(metadataUrl(at.ports, serverOf(at))), ...query },
  });

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
