/**
 * Signed URLs on the embedded host, over HTTP. Every misuse is refused and recorded, and has no
 * effect.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Host, startHost } from "#host/host.ts";
import { hmacSigner } from "#lib/adapters/node/platform.ts";
import { KEYS_FILE, loadOrCreateKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { present } from "#lib/errors.ts";
import { at, send, waitForStack } from "../host/host-client.ts";
import {
  type Attempt,
  attempt,
  attemptsOn,
  countsOf,
  idOf,
  readSite,
  SOFTWARE_TEMPLATE,
  type SoftwareSite,
} from "./software-site.ts";

let folder = "";
let host: Host;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-security-"));
  host = await startHost({ port: 0, data: folder });
});
afterEach(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const stackBody = (name: string, word: string) => ({
  stack_name: name,
  template: SOFTWARE_TEMPLATE,
  parameters: { word },
});

const outputOf = async (name: string) =>
  at((await send(host.url, "GET", `/v1/demo/stacks/${name}`)).body, "stack", "outputs", 0);

const metadataUrlOf = async (name: string): Promise<string> => {
  const read = async () => at(await outputOf(name), "output_value", "request", "metadata_url");
  await expect.poll(read, { timeout: 20_000 }).toMatch(/^http/);
  return String(await read());
};

const published = async (metadataUrl: string, after?: string): Promise<SoftwareSite> => {
  await expect
    .poll(async () => (await readSite(metadataUrl))?.signalUrl ?? after, { timeout: 20_000 })
    .not.toBe(after);
  return present(await readSite(metadataUrl), "the deployment");
};

const makeSite = async (name: string): Promise<SoftwareSite> => {
  const { status } = await send(host.url, "POST", "/v1/demo/stacks", stackBody(name, "one"));
  expect(status).toBe(201);
  return published(await metadataUrlOf(name));
};

const evidenceShape = z.object({
  evidence: z.array(
    z.object({
      server_id: z.string(),
      deployment_id: z.nullable(z.string()),
      kind: z.string(),
      count: z.number(),
      first_seen_at: z.string(),
      last_seen_at: z.string(),
    }),
  ),
});

const evidenceOf = async (site: SoftwareSite) => {
  const path = `/_dev/evidence?server_id=${site.serverId}`;
  return evidenceShape.parse((await send(host.url, "GET", path)).body).evidence;
};

type Evidence = Awaited<ReturnType<typeof evidenceOf>>[number];

const counts = (evidence: readonly Evidence[]) =>
  Object.fromEntries(evidence.map(({ kind, count }) => [kind, count]));

const statusOf = (url: string, body: object | null, method = body === null ? "GET" : "PUT") =>
  attempt({
    name: "",
    url,
    method,
    status: 0,
    kind: "",
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });

const tryAll = async (attempts: readonly Attempt[]): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const one of attempts) {
    const status = await attempt(one);
    if (status !== one.status) wrong.push(`${one.name}: ${status}`);
  }
  return wrong;
};

describe("a URL that was altered, or is for something else", () => {
  it("is refused and recorded, and the deployment still waits", async () => {
    const [site, other] = [await makeSite("app"), await makeSite("other")];
    const { onServer, onDeployment } = attemptsOn(site, other);
    expect(await tryAll([...onServer, ...onDeployment])).toEqual([]);
    const evidence = await evidenceOf(site);
    const [ofServer, ofDeployment] = [
      evidence.filter((one) => one.deployment_id === null),
      evidence.filter((one) => one.deployment_id !== null),
    ];
    expect(counts(ofServer)).toEqual(countsOf(onServer));
    expect(counts(ofDeployment)).toEqual(countsOf(onDeployment));
    const { signalUrl } = site;
    const text = JSON.stringify(evidence);
    for (const secret of [new URL(signalUrl).searchParams.get("sig") ?? "", "AAAA", "http"]) {
      expect(text).not.toContain(secret);
    }
    expect(await evidenceOf(other)).toEqual([]);
    expect(await readSite(site.metadataUrl)).toEqual(site);
    expect(await statusOf(signalUrl, { deploy_status_code: 0 })).toBe(200);
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  });

  it("of an unknown server leaves no record", async () => {
    const unknownId = "11111111-2222-4333-8444-555555555555";
    const query = "kid=x&exp=0&gen=1&sig=x";
    for (const kind of ["signal", "metadata"]) {
      const url = `${host.url}/v1/agent/${kind}/${unknownId}?${query}`;
      expect(await statusOf(url, kind === "signal" ? {} : null)).toBe(404);
    }
    const { body } = await send(host.url, "GET", `/_dev/evidence?server_id=${unknownId}`);
    expect(body).toEqual({ evidence: [] });
  });

  it("lists the allowed methods", async () => {
    const { metadataUrl, signalUrl } = await makeSite("app");
    const allowed = async (url: string) =>
      (await fetch(url, { method: "PATCH" })).headers.get("Allow");
    expect(await allowed(metadataUrl)).toBe("GET,HEAD");
    expect(await allowed(signalUrl)).toBe("PUT,POST");
  });
});

describe("an expired or revoked URL", () => {
  it("is refused and recorded as expired, or as of a revoked generation", async () => {
    const site = await makeSite("app");
    const signer = hmacSigner(loadOrCreateKeys(folder).signing);
    const signed = (url: string, kind: "signal" | "metadata", exp: number, gen: number) => {
      const { kid, sig } = signer.sign({ tenant: "demo", kind, id: idOf(url), exp, gen });
      return url.replace(/\?.*/, `?kid=${kid}&exp=${exp}&gen=${gen}&sig=${sig}`);
    };
    expect(await statusOf(signed(site.signalUrl, "signal", 1_000, 1), {})).toBe(403);
    expect(await statusOf(signed(site.metadataUrl, "metadata", 1_000, 1), null)).toBe(403);
    expect(await statusOf(signed(site.metadataUrl, "metadata", 0, 2), null)).toBe(410);
    const evidence = await evidenceOf(site);
    expect(evidence.map(({ kind }) => kind).toSorted()).toEqual(["expired", "expired", "revoked"]);
  });

  it("is refused and recorded when its key was removed, while the previous key is still accepted", async () => {
    const site = await makeSite("app");
    const onNewPort = (url: string) => host.url + new URL(url).pathname + new URL(url).search;
    const restartWith = async (keep: number): Promise<void> => {
      await host.stop();
      const path = join(folder, KEYS_FILE);
      const keys: { signing: object[] } = JSON.parse(readFileSync(path, "utf8"));
      const fresh = { kid: `fresh-${keep}`, secret: Buffer.alloc(32, keep).toString("base64") };
      const signing = [fresh, ...keys.signing.slice(0, keep)];
      writeFileSync(path, JSON.stringify({ ...keys, signing }));
      host = await startHost({ port: 0, data: folder });
    };
    await restartWith(1);
    expect(await statusOf(onNewPort(site.metadataUrl), null)).toBe(200);
    await restartWith(0);
    expect(await statusOf(onNewPort(site.metadataUrl), null)).toBe(403);
    expect(await statusOf(onNewPort(site.signalUrl), {})).toBe(403);
    expect((await evidenceOf(site)).map(({ kind }) => kind)).toEqual([
      "unknown_key",
      "unknown_key",
    ]);
  });
});

describe("a signal that is repeated, late, or for a deleted resource", () => {
  it("changes nothing, and is recorded in its kind", async () => {
    const site = await makeSite("app");
    const result = { result: "first", deploy_status_code: 0 };
    expect(await statusOf(site.signalUrl, result)).toBe(200);
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    const shown = async () => (await send(host.url, "GET", "/v1/demo/stacks/app")).body;
    const before = await shown();
    expect(await statusOf(site.signalUrl, result)).toBe(200);
    expect(await statusOf(site.signalUrl, { ...result, result: "second" })).toBe(200);
    expect(await statusOf(site.signalUrl, { deploy_status_code: 1 })).toBe(200);
    expect(await statusOf(site.signalUrl, { deploy_status: "IN_PROGRESS" })).toBe(200);
    expect(counts(await evidenceOf(site))).toEqual({ duplicate: 1, conflicting: 2, late: 1 });
    expect(await shown()).toEqual(before);

    await send(host.url, "PUT", "/v1/demo/stacks/app", stackBody("app", "two"));
    const updated = await published(site.metadataUrl, site.signalUrl);
    expect(await statusOf(site.signalUrl, { deploy_status_code: 1 })).toBe(200);
    expect(counts(await evidenceOf(site))).toMatchObject({ old_operation: 1 });
    expect(at(await shown(), "stack", "stack_status")).toBe("UPDATE_IN_PROGRESS");
    expect(await statusOf(updated.signalUrl, {})).toBe(200);
    await expect
      .poll(async () => at(await shown(), "stack", "stack_status"))
      .toBe("UPDATE_COMPLETE");

    await send(host.url, "DELETE", "/v1/demo/stacks/app");
    await expect.poll(() => statusOf(updated.signalUrl, {})).toBe(410);
    expect(counts(await evidenceOf(site))["deleted"]).toBeGreaterThan(0);
    await expect.poll(() => statusOf(site.metadataUrl, null)).toBe(410);
  });
});
