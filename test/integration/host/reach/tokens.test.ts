import { afterEach, describe, expect, it } from "vitest";
import { createToken, revokeToken } from "#host/credentials.ts";
import { NoTokens, startHost } from "#host/host.ts";
import { at } from "../host-client.ts";
import { ask, askRaw, basic, endWorld, newFolder, openWorld, type World } from "./reach-world.ts";

afterEach(endWorld);

const stacks = ({ host }: World, project = "demo") => `${host.url}/v1/${project}/stacks`;

describe("a host that demands tokens", () => {
  it("answers a token on its own project's paths, alone or in HTTP basic", async () => {
    const world = await openWorld();
    expect(world.host.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    for (const headers of [{ "X-Auth-Token": world.token }, basic("demo", world.token)]) {
      const { status, body } = await ask(stacks(world), headers);
      expect([status, JSON.parse(body)]).toEqual([200, { stacks: [] }]);
    }
  });

  it("answers 401 in Heat's format, with a challenge, without a valid token", async () => {
    const world = await openWorld();
    const brief = createToken(world.folder, "demo", 1);
    await expect.poll(() => Date.now() > (brief.expiresAt ?? 0)).toBe(true);
    for (const headers of [
      {},
      { "X-Auth-Token": "wrong" },
      { "X-Auth-Token": brief.token },
      { "X-Auth-Token": [world.token, world.token] },
      basic("other", world.token),
      { Authorization: `Bearer ${world.token}` },
    ]) {
      const { status, headers: answered, body } = await ask(stacks(world), headers);
      expect(status).toBe(401);
      expect(answered["www-authenticate"]).toBe('Basic realm="hearth"');
      expect(answered["x-openstack-request-id"]).toMatch(/^req-[0-9a-f-]{36}$/);
      expect(JSON.parse(body)).toMatchObject({ code: 401, error: { type: "HTTPUnauthorized" } });
    }
  });

  it("answers 403 on another project's path in any spelling, and on unknown paths", async () => {
    const world = await openWorld();
    for (const path of [
      "/v1/other/stacks",
      "/v1/%6fther/stacks",
      "/v1/demo%2F..%2Fother/stacks",
      "/v2/demo/stacks",
      "/iam/v1/demo/stacks",
    ]) {
      const { status, body } = await ask(`${world.host.url}${path}`, {
        "X-Auth-Token": world.token,
      });
      expect([path, status]).toEqual([path, 403]);
      expect(JSON.parse(body)).toMatchObject({ code: 403, error: { type: "Forbidden" } });
    }
  });

  it("does not read the body of a stranger, and still answers", async () => {
    const world = await openWorld();
    const body = "x".repeat(3 * 1024 * 1024);
    expect((await ask(stacks(world), {}, { method: "POST", body })).status).toBe(401);
  });

  it.each([
    ["POST /v1/agent/signal/ID?upload=1", 403],
    ["PUT /v1/agent/upload/ID?tenant=demo", 403],
    ["POST /v1/agent/metadata/ID", 405],
    ["POST /", 405],
    ["POST /v1/demo/stacks", 401],
  ])("answers %s by its head, before the body has come", async (request, status) => {
    const { host } = await openWorld();
    const line = request.replace("ID", "00000000-0000-4000-8000-000000000000");
    const head = `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n\r\n`;
    const answer = await askRaw(host.url, head + "x".repeat(200_000));
    expect(answer).toMatch(`HTTP/1.1 ${status} `);
  });

  it("accepts a new token at once, and refuses a revoked one at once", async () => {
    const world = await openWorld();
    const made = createToken(world.folder, "other", null);
    const headers = { "X-Auth-Token": made.token };
    expect((await ask(stacks(world, "other"), headers)).status).toBe(200);
    expect((await ask(stacks(world), headers)).status).toBe(403);
    revokeToken(world.folder, made.id);
    expect((await ask(stacks(world, "other"), headers)).status).toBe(401);
    expect((await ask(stacks(world), { "X-Auth-Token": world.token })).status).toBe(200);
  });

  it("names in the events whose token has asked for an operation", async () => {
    const world = await openWorld();
    const made = createToken(world.folder, "demo", null);
    const headers = { "X-Auth-Token": made.token };
    const template = { heat_template_version: "2021-04-16" };
    const body = JSON.stringify({ stack_name: "app", template });
    expect((await ask(stacks(world), headers, { method: "POST", body })).status).toBe(201);
    const shown = JSON.parse((await ask(stacks(world), headers)).body);
    const path = `${stacks(world)}/app/${at(shown, "stacks", 0, "id")}/events`;
    const events = async () => (await ask(path, headers)).body;
    await expect.poll(events).toContain(`"actor":"token:${made.id}"`);
    expect(await events()).not.toContain(made.token);
  });

  it("shows everybody its versions and that it lives, and nobody its inside", async () => {
    const world = await openWorld();
    expect((await ask(`${world.host.url}/`)).status).toBe(300);
    const health = await ask(`${world.host.url}/_health`);
    expect([health.status, JSON.parse(health.body)]).toEqual([200, { alive: true }]);
    for (const path of ["/_dev/rows", "/_dev/process", "/_dev/step"]) {
      expect((await ask(`${world.host.url}${path}`)).status).toBe(404);
      const headers = { "X-Auth-Token": world.token };
      expect((await ask(`${world.host.url}${path}`, headers)).status).toBe(404);
    }
    expect((await ask(`${world.host.url}/v1/demo/_health`)).status).toBe(401);
  });

  it("leaves the signed routes to their signatures", async () => {
    const world = await openWorld();
    const query = "kid=x&exp=0&gen=1&sig=x";
    const signal = `${world.host.url}/v1/agent/signal/nosuch`;
    expect((await ask(`${world.host.url}/v1/agent/metadata/nosuch?${query}`)).status).toBe(404);
    expect((await ask(`${signal}?${query}`, {}, { method: "PUT", body: "{}" })).status).toBe(404);
    expect((await ask(signal, {}, { method: "PUT", body: "{}" })).status).toBe(403);
  });

  it("does not start while its folder holds no valid token", async () => {
    const folder = newFolder();
    const options = { port: 0, data: folder, auth: "tokens" } as const;
    await expect(startHost(options)).rejects.toThrow(NoTokens);
    const { id } = createToken(folder, "demo", null);
    revokeToken(folder, id);
    await expect(startHost(options)).rejects.toThrow(`${folder} holds no valid token`);
  });
});

describe("the loopback interface", () => {
  it("needs no token by default, and refuses to hold them in memory", async () => {
    const host = await startHost({ port: 0, data: null });
    expect((await ask(`${host.url}/v1/any/stacks`)).status).toBe(200);
    expect((await ask(`${host.url}/_dev/counters`)).status).toBe(200);
    await host.stop();
    await expect(startHost({ port: 0, data: null, auth: "tokens" })).rejects.toThrow("--memory");
  });
});
