import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ACCESS_LOG_FILE } from "#host/access-log.ts";
import { createToken } from "#host/credentials.ts";
import type { HostOptions } from "#host/host.ts";
import { present } from "#lib/errors.ts";
import { ask, askRaw, basic, connectTo, endWorld, openWorld, stopHost } from "./reach-world.ts";

afterEach(endWorld);

const Entry = z.object({
  time: z.iso.datetime(),
  listener: z.string(),
  remote: z.string(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  status: z.number().nullable(),
  project: z.string().nullable(),
  token: z.string().nullable(),
  reason: z.string().nullable(),
});

const textIn = (folder: string): string => readFileSync(join(folder, ACCESS_LOG_FILE), "utf8");

const entriesIn = (folder: string) =>
  textIn(folder)
    .trimEnd()
    .split("\n")
    .map((line) => Entry.parse(JSON.parse(line)));

const AGENTS = { agentsListen: { address: "127.0.0.1", port: 0 } } as const;

describe("access.log", () => {
  it("records each refused attempt with its reason, in order, and nothing that was answered", async () => {
    const world = await openWorld(AGENTS);
    const { host, folder, token } = world;
    const url = `${host.url}/v1/demo/stacks`;
    const id = createToken(folder, "other", null);
    const agentsUrl = present(host.listening.agentsUrl, "the agents' listener");
    await ask(url, { "X-Auth-Token": token });
    await ask(url);
    await ask(url, { "X-Auth-Token": "wrong" });
    await ask(url, { "X-Auth-Token": id.token });
    await ask(url, basic("demo", id.token));
    await ask(url, { Host: "evil.example", "X-Auth-Token": token });
    await ask(url, { Origin: "https://evil.example", "X-Auth-Token": token });
    await askRaw(host.url, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    await ask(`${host.url}/_dev/rows`, { "X-Auth-Token": token });
    await ask(`${host.url}/v1/agent/metadata/nosuch?kid=x&exp=0&gen=1&sig=x`);
    await ask(`${host.url}/v1/agent/signal/nosuch`, {}, { method: "DELETE" });
    await ask(`${agentsUrl}/v1/demo/stacks`, { "X-Auth-Token": token });
    await stopHost(host);
    const entries = entriesIn(folder);
    expect(entries.map(({ status, reason }) => [status, reason])).toEqual([
      [401, "no-token"],
      [401, "unknown-token"],
      [403, "foreign-project"],
      [401, "foreign-user"],
      [403, "foreign-host"],
      [403, "foreign-origin"],
      [400, "no-host"],
      [404, "dev-route"],
      [404, "refused-by-route"],
      [405, "refused-by-route"],
      [404, "signed-routes-only"],
    ]);
    expect(entries[2]).toMatchObject({
      listener: "api",
      remote: "127.0.0.1",
      method: "GET",
      path: "/v1/demo/stacks",
      project: "other",
      token: id.id,
    });
    expect(entries[1]).toMatchObject({ project: null, token: null });
    expect(entries.at(-1)?.listener).toBe("agents");
  });

  it("holds no token, no password, no signature and no query, and only its owner reads it", async () => {
    const { host, folder, token } = await openWorld({ accessLog: "all" });
    const secrets = ["guessed-token", "s3cret-password", "c2lnbmF0dXJl"];
    const [guess = "", password = "", signature = ""] = secrets;
    const url = `${host.url}/v1/demo/stacks`;
    await ask(`${url}?marker=${guess}`, { "X-Auth-Token": token });
    await ask(url, { "X-Auth-Token": guess });
    await ask(url, basic("demo", password));
    const signed = `${host.url}/v1/agent/metadata/x`;
    await ask(`${signed}?kid=x&exp=0&gen=1&sig=${signature}`);
    await ask(`${signed}%3Fkid=x&exp=0&gen=1&sig=${signature}`);
    await ask(`${host.url}/agents/v1/agent/metadata/x%3Fkid%3Dx%26sig%3D${signature}`);
    await ask(`${host.url}/agents/v1/agent/metadata/x%253Fsig%253D${signature}`);
    await stopHost(host);
    const statuses = entriesIn(folder).map(({ status }) => status);
    expect(statuses).toEqual([200, 401, 401, 404, 403, 401, 401]);
    for (const secret of [token, ...secrets]) expect(textIn(folder)).not.toContain(secret);
    expect(statSync(join(folder, ACCESS_LOG_FILE)).mode & 0o777).toBe(0o600);
  });

  it("records requests that cannot be read, and handshakes that fail", async () => {
    const { host, folder } = await openWorld();
    expect(await askRaw(host.url, "NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    const overlong = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await askRaw(host.url, overlong)).toMatch(/^HTTP\/1\.1 431 /);
    const plain = await connectTo(host.url.replace("https:", "http:"));
    const closed = new Promise((resolve) => plain.once("close", resolve));
    plain.on("error", () => undefined);
    plain.resume();
    plain.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await closed;
    await stopHost(host);
    expect(entriesIn(folder).map(({ status, reason }) => [status, reason])).toEqual([
      [400, "unreadable"],
      [431, "unreadable"],
      [null, "tls"],
    ]);
  });

  it("names the client behind a trusted proxy, and not what the client claims", async () => {
    const behind = { tls: undefined, publicUrl: "https://hearth.test" } as const;
    const { host, folder } = await openWorld({ ...behind, trustProxy: ["127.0.0.1"] });
    const url = `${host.listening.url}/v1/demo/stacks`;
    const from = (value: string) => ask(url, { Host: "hearth.test", "X-Forwarded-For": value });
    await from("203.0.113.9");
    await from("10.9.9.9, 203.0.113.9, 127.0.0.1");
    await from("no address");
    await stopHost(host);
    expect(entriesIn(folder).map(({ remote }) => remote)).toEqual([
      "203.0.113.9",
      "203.0.113.9",
      "127.0.0.1",
    ]);
  });

  it.each<HostOptions["accessLog"]>(["off", "refused"])("may be %s", async (accessLog) => {
    const { host, folder, token } = await openWorld({ accessLog });
    await ask(`${host.url}/v1/demo/stacks`, { "X-Auth-Token": token });
    await ask(`${host.url}/v1/demo/stacks`);
    await stopHost(host);
    expect(existsSync(join(folder, ACCESS_LOG_FILE))).toBe(accessLog === "refused");
    if (accessLog === "refused") expect(entriesIn(folder)).toHaveLength(1);
  });
});
