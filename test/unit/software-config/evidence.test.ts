/** What is recorded of requests to agents' URLs that are refused or have no effect, and that nothing else comes of them. */
import { describe, expect, it } from "vitest";
import { hmacSigner } from "#lib/adapters/node/signer.ts";
import { present, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { EvidenceKind } from "#lib/model/evidence.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  EVIDENCE_COUNT_EXACT_MAX,
  EVIDENCE_INTERVAL_MS,
  EVIDENCE_MS_MAX,
} from "#lib/software-config/agent-requests/evidence.ts";
import { metadataUrl, signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal, type SignalRequest } from "#lib/software-config/signals/receive-signal.ts";
import { SIGNAL_BYTES_MAX } from "#lib/software-config/signals/signal-body.ts";
import { act, keep, look } from "#test/unit/resources/world.ts";
import { type Deployed, deployed, queryOf, signal, signalUrlOf } from "./deployed.ts";

const HOUR_MS = 3_600_000;

/** Where a request goes, and what it carries. */
interface Sent extends Partial<SignalRequest> {
  readonly url: string;
  readonly ports?: Ports;
}

const idOf = (url: string): string => new URL(url).pathname.split("/").at(-1) ?? "";

const send = async ({ at }: Deployed, { url, ports = at.ports, ...more }: Sent) => {
  const request = { method: "PUT", query: queryOf(url), body: "{}", ...more };
  const asked = url.includes("/signal/")
    ? receiveSignal(ports, idOf(url), request)
    : serveMetadata(ports, idOf(url), { ...request, method: more.method ?? "GET" });
  return asked.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof RequestError) return error.status;
      throw error;
    },
  );
};

const kindsOf = ({ at }: Deployed) =>
  at.softwareConfigs.evidence().map(({ kind, count }) => [kind, count]);

const serverOf = ({ at }: Deployed) => present(at.softwareConfigs.servers()[0], "server");
const pollUrlOf = (site: Deployed): string => metadataUrl(site.at.ports, serverOf(site));

const changed = (url: string, name: string, value: string): string => {
  const other = new URL(url);
  other.searchParams.set(name, value);
  return other.href;
};

/** Everything but the evidence, as it stands. */
const stateOf = ({ at }: Deployed): string =>
  JSON.stringify([
    at.store.dump(),
    at.softwareConfigs.deployments(),
    at.softwareConfigs.signalTargets(),
    at.blobs.keys(),
    at.queue.pending,
  ]);

const rotated = ({ at }: Deployed): Ports => ({
  ...at.ports,
  signer: hmacSigner([{ kid: "newer", secret: new Uint8Array(32) }]),
});

type Case = readonly [
  title: string,
  status: number,
  kind: EvidenceKind,
  how: (site: Deployed, url: string) => Sent | Promise<Sent>,
];

const TAMPERED: readonly Case[] = [
  ["another signature", 403, "bad_signature", (_, url) => ({ url: changed(url, "sig", "AAAA") })],
  ["no signature", 403, "not_signed", (_, url) => ({ url: url.replace(/&sig=.*/, "") })],
  ["no query", 403, "not_signed", (_, url) => ({ url: url.replace(/\?.*/, "") })],
  ["a later end", 403, "bad_signature", (_, url) => ({ url: changed(url, "exp", "9999999999") })],
  ["an earlier end", 403, "bad_signature", (_, url) => ({ url: changed(url, "exp", "1") })],
  ["another generation", 403, "bad_signature", (_, url) => ({ url: changed(url, "gen", "7") })],
  ["another key", 403, "unknown_key", (_, url) => ({ url: changed(url, "kid", "other") })],
  ["a key that has gone", 403, "unknown_key", (site, url) => ({ url, ports: rotated(site) })],
  ["the method DELETE", 405, "wrong_method", (_, url) => ({ url, method: "DELETE" })],
  [
    "a signature of another tenant's",
    403,
    "bad_signature",
    ({ at }, url) => {
      const grant = { tenant: "other", id: idOf(url), exp: 0, gen: 1 };
      const signed = url.includes("/signal/")
        ? signalUrl(at.ports, grant)
        : metadataUrl(at.ports, grant);
      return { url: signed };
    },
  ],
];

const REFUSED_SIGNALS: readonly Case[] = [
  ...TAMPERED,
  [
    "the metadata URL's query",
    403,
    "bad_signature",
    (site, url) => ({ url, query: queryOf(pollUrlOf(site)) }),
  ],
  ["the method GET", 405, "wrong_method", (_, url) => ({ url, method: "GET" })],
  [
    "a body that is too large",
    413,
    "too_large",
    (_, url) => ({ url, body: "x".repeat(SIGNAL_BYTES_MAX + 1) }),
  ],
  ["a body that is no JSON", 400, "not_valid", (_, url) => ({ url, body: "{" })],
  ["a body that is a list", 400, "not_valid", (_, url) => ({ url, body: "[]" })],
  [
    "a status that there is not",
    400,
    "not_valid",
    (_, url) => ({ url, body: '{"deploy_status":"DONE"}' }),
  ],
  [
    "an end that is over",
    403,
    "expired",
    ({ at }, url) => {
      at.clock.advance(3 * HOUR_MS);
      return { url };
    },
  ],
];

const REFUSED_POLLS: readonly Case[] = [
  ...TAMPERED,
  [
    "the method PUT, as if it were for signals",
    405,
    "wrong_method",
    (_, url) => ({ url, method: "PUT" }),
  ],
  [
    "the signal URL's query",
    403,
    "bad_signature",
    async (site, url) => ({ url, query: queryOf(await signalUrlOf(site)) }),
  ],
  [
    "a generation that was revoked",
    410,
    "revoked",
    async (site, url) => {
      await site.at.softwareConfigs.putServer({ ...serverOf(site), gen: 2 });
      return { url };
    },
  ],
];

describe("a refused signal", () => {
  it.each(REFUSED_SIGNALS)("with %s is %i and recorded as %s", async (_, status, kind, how) => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const before = stateOf(site);
    const sent = await how(site, url);
    const now = site.at.clock.now();
    expect(await send(site, sent)).toBe(status);
    const [deployment] = site.at.softwareConfigs.deployments();
    expect(site.at.softwareConfigs.evidence()).toEqual([
      {
        tenant: "demo",
        stackId: "stack-1",
        serverId: serverOf(site).id,
        deploymentId: deployment?.id,
        kind,
        count: 1,
        firstSeenAt: now,
        lastSeenAt: now,
        expiresAt: now + EVIDENCE_MS_MAX,
      },
    ]);
    expect(stateOf(site)).toBe(before);
  });

  it("at a server's id is recorded for that server", async () => {
    const site = await deployed();
    const url = pollUrlOf(site).replace("/metadata/", "/signal/");
    expect(await send(site, { url })).toBe(404);
    expect(site.at.softwareConfigs.evidence()).toMatchObject([
      { serverId: serverOf(site).id, deploymentId: null, kind: "wrong_scope", count: 1 },
    ]);
  });

  it("for a deployment that is gone is recorded, even when its server is gone too", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const { id } = serverOf(site);
    await act(site.at, site.row, "DELETE");
    await site.at.softwareConfigs.deleteServer(id);
    expect(await send(site, { url })).toBe(410);
    expect(await site.at.softwareConfigs.listEvidence(id)).toMatchObject([
      { serverId: id, deploymentId: expect.any(String), kind: "deleted" },
    ]);
  });
});

describe("a refused poll", () => {
  it.each(REFUSED_POLLS)("with %s is %i and recorded as %s", async (_, status, kind, how) => {
    const site = await deployed();
    const sent = await how(site, pollUrlOf(site));
    const before = stateOf(site);
    expect(await send(site, sent)).toBe(status);
    expect(site.at.softwareConfigs.evidence()).toMatchObject([
      { tenant: "demo", serverId: serverOf(site).id, deploymentId: null, kind, count: 1 },
    ]);
    expect(stateOf(site)).toBe(before);
  });

  it("at a derived config's id is recorded for its deployment", async () => {
    const site = await deployed();
    const url = (await signalUrlOf(site)).replace("/signal/", "/metadata/");
    expect(await send(site, { url })).toBe(404);
    const [deployment] = site.at.softwareConfigs.deployments();
    expect(site.at.softwareConfigs.evidence()).toMatchObject([
      { serverId: serverOf(site).id, deploymentId: deployment?.id, kind: "wrong_scope" },
    ]);
  });
});

describe("a signal without effect", () => {
  const end = async (site: Deployed, body: JsonObject): Promise<void> => {
    await signal(site, body);
    keep(site.row, site.request, await look(site.at, site.row, site.request, site.handle));
  };

  it("that repeats the result is a duplicate, before the result was looked at and after", async () => {
    const site = await deployed();
    const body = { deploy_stdout: "done", deploy_status_code: 0 };
    await signal(site, body);
    await signal(site, body);
    expect(kindsOf(site)).toEqual([["duplicate", 1]]);
    await end(site, body);
    const before = stateOf(site);
    expect(await signal(site, body)).toEqual({ status: 200, effect: "none" });
    expect(kindsOf(site)).toEqual([["duplicate", 3]]);
    expect(stateOf(site)).toBe(before);
  });

  it("that says something else than the result is in conflict with it, and the first one counts", async () => {
    const site = await deployed();
    await signal(site, { deploy_status_code: 0 });
    await signal(site, { deploy_status_code: 1 });
    expect(kindsOf(site)).toEqual([["conflicting", 1]]);
    keep(site.row, site.request, await look(site.at, site.row, site.request, site.handle));
    expect(site.at.softwareConfigs.deployments()).toMatchObject([{ status: "COMPLETE" }]);
    const before = stateOf(site);
    expect(await signal(site, { deploy_status_code: 0, deploy_stdout: "other" })).toMatchObject({
      effect: "none",
    });
    expect(kindsOf(site)).toEqual([["conflicting", 2]]);
    expect(stateOf(site)).toBe(before);
  });

  it("that tells of progress after the end is late", async () => {
    const site = await deployed();
    await end(site, {});
    await signal(site, { deploy_status: "IN_PROGRESS" });
    expect(kindsOf(site)).toEqual([["late", 1]]);
  });

  it("that comes after the operation was cancelled is late", async () => {
    const site = await deployed();
    const type = present(site.at.ports.resourceTypes.get(site.row.type), "type");
    await type.abandon?.(site.request, site.at.ports, "overtaken");
    const before = stateOf(site);
    expect(await signal(site, {})).toEqual({ status: 200, effect: "none" });
    expect(kindsOf(site)).toEqual([["late", 1]]);
    expect(stateOf(site)).toBe(before);
  });

  it("that comes between the end of the operation and its record is late", async () => {
    const site = await deployed();
    const id = "row-dep";
    await site.at.store.writeResource({ stackId: "stack-1", id }, [], { set: { operation: null } });
    await signal(site, { deploy_status: "IN_PROGRESS" });
    await signal(site, {});
    expect(kindsOf(site)).toEqual([["late", 2]]);
  });

  it("that is for an operation before the current one is told from a late one", async () => {
    const site = await deployed();
    const earlier = await signalUrlOf(site);
    await end(site, {});
    await act(site.at, site.row, "UPDATE", { ...site.row.properties, input_values: { a: 1 } });
    const before = stateOf(site);
    expect(await signal(site, { deploy_status_code: 1 }, earlier)).toEqual({
      status: 200,
      effect: "none",
    });
    expect(kindsOf(site)).toEqual([["old_operation", 1]]);
    expect(stateOf(site)).toBe(before);
  });
});

describe("evidence", () => {
  const flood = async (site: Deployed, url: string, times: number): Promise<void> => {
    for (let sent = 0; sent < times; sent += 1) {
      expect(await send(site, { url: changed(url, "sig", `forged-${sent}`) })).toBe(403);
    }
  };

  it("is kept of nobody: an id that is not there leaves nothing", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const nobody = url.replace(site.handle, "11111111-2222-4333-8444-555555555555");
    for (const other of [nobody, nobody.replace("/signal/", "/metadata/")]) {
      expect(await send(site, { url: other })).toBe(404);
      expect(await send(site, { url: other.replace(/\?.*/, "") })).toBe(403);
      expect(await send(site, { url: other, method: "DELETE" })).toBe(405);
    }
    expect(await send(site, { url: url.replace(site.handle, "nobody") })).toBe(404);
    expect(site.at.softwareConfigs.evidence()).toEqual([]);
  });

  it("looks nothing up for what cannot be an id", async () => {
    const site = await deployed();
    const asked: string[] = [];
    const watch = async (id: string): Promise<null> => {
      asked.push(id);
      return null;
    };
    const softwareConfigs = {
      ...site.at.softwareConfigs,
      getServer: watch,
      getSignalTarget: watch,
    };
    const ports = { ...site.at.ports, softwareConfigs };
    const url = (await signalUrlOf(site)).replace(site.handle, `${site.handle}%3Fsig=secret`);
    expect(await send(site, { url, ports })).toBe(404);
    expect(asked).toEqual([]);
  });

  it("is one record a kind and target, however many come, and is written seldom when there are many", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    let writes = 0;
    const { addEvidence } = site.at.softwareConfigs;
    site.at.softwareConfigs.addEvidence = (sighting) => {
      writes += 1;
      return addEvidence(sighting);
    };
    const first = site.at.clock.now();
    await flood(site, url, 10 * EVIDENCE_COUNT_EXACT_MAX);
    expect(writes).toBe(EVIDENCE_COUNT_EXACT_MAX);
    expect(kindsOf(site)).toEqual([["bad_signature", EVIDENCE_COUNT_EXACT_MAX]]);
    site.at.clock.advance(EVIDENCE_INTERVAL_MS);
    await flood(site, url, 50);
    expect(writes).toBe(EVIDENCE_COUNT_EXACT_MAX + 1);
    expect(site.at.softwareConfigs.evidence()).toMatchObject([
      { firstSeenAt: first, lastSeenAt: first + EVIDENCE_INTERVAL_MS },
    ]);
  });

  it("holds nothing of the URL, of its signature or of the body", async () => {
    const site = await deployed();
    const url = changed(await signalUrlOf(site), "sig", "forged-signature");
    await send(site, { url, body: '{"deploy_stdout":"stdout-text"}' });
    await send(site, { url: await signalUrlOf(site), body: "not-json-text" });
    const text = JSON.stringify(site.at.softwareConfigs.evidence());
    const query = queryOf(await signalUrlOf(site));
    for (const part of ["forged", "stdout", "not-json", "http", query["sig"] ?? "", "agent"]) {
      expect(text).not.toContain(part);
    }
  });

  it("goes when nothing has been added to it for a month", async () => {
    const site = await deployed();
    await send(site, { url: changed(pollUrlOf(site), "sig", "x") });
    site.at.clock.advance(EVIDENCE_MS_MAX);
    site.at.softwareConfigs.purgeExpired(site.at.clock.now());
    expect(site.at.softwareConfigs.evidence()).toEqual([]);
  });

  it("is not kept of what is heeded, nor looked for", async () => {
    const site = await deployed();
    site.at.softwareConfigs.getEvidence = async () => {
      throw new Error("it was looked for");
    };
    expect(await send(site, { url: pollUrlOf(site) })).toBe(200);
    expect(await send(site, { url: pollUrlOf(site), method: "HEAD" })).toBe(200);
    await signal(site, { deploy_status: "IN_PROGRESS" });
    await signal(site, {});
    expect(site.at.softwareConfigs.evidence()).toEqual([]);
  });
});
