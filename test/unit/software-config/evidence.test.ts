import { describe, expect, it } from "vitest";
import { hmacSigner } from "#lib/adapters/node/platform.ts";
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
import { abandon, act, keep } from "#test/unit/resources/world.ts";
import {
  type Deployed,
  deployed,
  end,
  idIn,
  queryOf,
  serverOf,
  signal,
  signalUrlOf,
  statusOf,
  visit,
} from "./deployed.ts";

const HOUR_MS = 3_600_000;

interface Sent extends Partial<SignalRequest> {
  readonly url: string;
  readonly ports?: Ports;
}

const send = async ({ at }: Deployed, { url, ports = at.ports, ...more }: Sent) => {
  const request = { method: "PUT", query: queryOf(url), body: "{}", ...more };
  const asked = url.includes("/signal/")
    ? receiveSignal(ports, idIn(url), request)
    : serveMetadata(ports, idIn(url), { ...request, method: more.method ?? "GET" });
  return statusOf(asked);
};

const kindsOf = ({ at }: Deployed) =>
  at.softwareConfigs.evidence().map(({ kind, count }) => [kind, count]);

const pollUrlOf = (site: Deployed): string => metadataUrl(site.at.ports, serverOf(site.at));

const changed = (url: string, name: string, value: string): string => {
  const other = new URL(url);
  other.searchParams.set(name, value);
  return other.href;
};

const stateOf = ({ at }: Deployed): string =>
  JSON.stringify([
    at.store.dump(),
    at.softwareConfigs.deployments(),
    at.softwareConfigs.signalTargets(),
    at.blobs.keys(),
    at.queue.pending,
  ]);

const withRotatedKey = ({ at }: Deployed): Ports => ({
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
  [
    "a later expiry",
    403,
    "bad_signature",
    (_, url) => ({ url: changed(url, "exp", "9999999999") }),
  ],
  ["an earlier expiry", 403, "bad_signature", (_, url) => ({ url: changed(url, "exp", "1") })],
  ["another generation", 403, "bad_signature", (_, url) => ({ url: changed(url, "gen", "7") })],
  ["another key", 403, "unknown_key", (_, url) => ({ url: changed(url, "kid", "other") })],
  ["a removed key", 403, "unknown_key", (site, url) => ({ url, ports: withRotatedKey(site) })],
  ["the method DELETE", 405, "wrong_method", (_, url) => ({ url, method: "DELETE" })],
  [
    "another tenant's signature",
    403,
    "bad_signature",
    ({ at }, url) => {
      const grant = { tenant: "other", id: idIn(url), exp: 0, gen: 1 };
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
  ["a body that is not JSON", 400, "not_valid", (_, url) => ({ url, body: "{" })],
  ["a body that is a list", 400, "not_valid", (_, url) => ({ url, body: "[]" })],
  ["an unknown status", 400, "not_valid", (_, url) => ({ url, body: '{"deploy_status":"DONE"}' })],
  [
    "an expired URL",
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
    "the method PUT, which is for signals",
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
    "a revoked generation",
    410,
    "revoked",
    async (site, url) => {
      await site.at.softwareConfigs.putServer({ ...serverOf(site.at), gen: 2 });
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
        serverId: serverOf(site.at).id,
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

  it("with a server's id is recorded for that server", async () => {
    const site = await deployed();
    const url = pollUrlOf(site).replace("/metadata/", "/signal/");
    expect(await send(site, { url })).toBe(404);
    expect(site.at.softwareConfigs.evidence()).toMatchObject([
      { serverId: serverOf(site.at).id, deploymentId: null, kind: "wrong_scope", count: 1 },
    ]);
  });

  it("for a deleted deployment is recorded, even if its server is deleted too", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const { tenant, id } = serverOf(site.at);
    await act(site.at, site.row, "DELETE");
    await site.at.softwareConfigs.deleteServer(tenant, id);
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
      { tenant: "demo", serverId: serverOf(site.at).id, deploymentId: null, kind, count: 1 },
    ]);
    expect(stateOf(site)).toBe(before);
  });

  it("with a derived config's id is recorded for its deployment", async () => {
    const site = await deployed();
    const url = (await signalUrlOf(site)).replace("/signal/", "/metadata/");
    expect(await send(site, { url })).toBe(404);
    const [deployment] = site.at.softwareConfigs.deployments();
    expect(site.at.softwareConfigs.evidence()).toMatchObject([
      { serverId: serverOf(site.at).id, deploymentId: deployment?.id, kind: "wrong_scope" },
    ]);
  });
});

describe("a signal without effect", () => {
  it("that repeats the result is a duplicate, before and after the result is recorded", async () => {
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

  it("that differs from the result is conflicting, and the first one counts", async () => {
    const site = await deployed();
    await signal(site, { deploy_status_code: 0 });
    await signal(site, { deploy_status_code: 1 });
    expect(kindsOf(site)).toEqual([["conflicting", 1]]);
    keep(site.row, site.request, await visit(site));
    expect(site.at.softwareConfigs.deployments()).toMatchObject([{ status: "COMPLETE" }]);
    const before = stateOf(site);
    expect(await signal(site, { deploy_status_code: 0, deploy_stdout: "other" })).toMatchObject({
      effect: "none",
    });
    expect(kindsOf(site)).toEqual([["conflicting", 2]]);
    expect(stateOf(site)).toBe(before);
  });

  it("of progress after the end is late", async () => {
    const site = await deployed();
    await end(site, {});
    await signal(site, { deploy_status: "IN_PROGRESS" });
    expect(kindsOf(site)).toEqual([["late", 1]]);
  });

  it("after the operation was cancelled is late", async () => {
    const site = await deployed();
    await abandon(site.at, site.row, site.request);
    const before = stateOf(site);
    expect(await signal(site, {})).toEqual({ status: 200, effect: "none" });
    expect(kindsOf(site)).toEqual([["late", 1]]);
    expect(stateOf(site)).toBe(before);
  });

  it("between the end of the operation and its record is late", async () => {
    const site = await deployed();
    const id = "row-dep";
    await site.at.store.writeResource({ stackId: "stack-1", id }, [], { set: { operation: null } });
    await signal(site, { deploy_status: "IN_PROGRESS" });
    await signal(site, {});
    expect(kindsOf(site)).toEqual([["late", 2]]);
  });

  it("for an earlier operation is recorded as such", async () => {
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

  it("is not recorded for an unknown id", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const unknown = url.replace(site.handle, "11111111-2222-4333-8444-555555555555");
    for (const other of [unknown, unknown.replace("/signal/", "/metadata/")]) {
      expect(await send(site, { url: other })).toBe(404);
      expect(await send(site, { url: other.replace(/\?.*/, "") })).toBe(403);
      expect(await send(site, { url: other, method: "DELETE" })).toBe(405);
    }
    expect(await send(site, { url: url.replace(site.handle, "unknown") })).toBe(404);
    expect(site.at.softwareConfigs.evidence()).toEqual([]);
  });

  it("costs no lookup for a text that cannot be an id", async () => {
    const site = await deployed();
    const asked: string[] = [];
    const recordId = async (id: string): Promise<null> => {
      asked.push(id);
      return null;
    };
    const softwareConfigs = {
      ...site.at.softwareConfigs,
      getServer: recordId,
      getSignalTarget: recordId,
    };
    const ports = { ...site.at.ports, softwareConfigs };
    const url = (await signalUrlOf(site)).replace(site.handle, `${site.handle}%3Fsig=secret`);
    expect(await send(site, { url, ports })).toBe(404);
    expect(asked).toEqual([]);
  });

  it("has one record per kind and target, which a flood of requests rarely writes", async () => {
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

  it("expires a month after its last sighting", async () => {
    const site = await deployed();
    await send(site, { url: changed(pollUrlOf(site), "sig", "x") });
    site.at.clock.advance(EVIDENCE_MS_MAX);
    site.at.softwareConfigs.purgeExpired(site.at.clock.now());
    expect(site.at.softwareConfigs.evidence()).toEqual([]);
  });

  it("is neither recorded nor read for accepted requests", async () => {
    const site = await deployed();
    site.at.softwareConfigs.getEvidence = async () => {
      throw new Error("the evidence was read");
    };
    expect(await send(site, { url: pollUrlOf(site) })).toBe(200);
    expect(await send(site, { url: pollUrlOf(site), method: "HEAD" })).toBe(200);
    await signal(site, { deploy_status: "IN_PROGRESS" });
    await signal(site, {});
    expect(site.at.softwareConfigs.evidence()).toEqual([]);
  });
});
