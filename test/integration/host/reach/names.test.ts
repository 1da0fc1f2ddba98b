import { afterEach, describe, expect, it } from "vitest";
import { startHost } from "#host/host.ts";
import { ask, askRaw, endWorld, openWorld } from "./reach-world.ts";

afterEach(endWorld);

const statusOf = (answer: string): string => /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? answer;

describe("a request's Host", () => {
  it("is a loopback name, the public URL's, or an allowed one: DNS rebinding is refused", async () => {
    const { host, token } = await openWorld({
      publicUrl: "https://hearth.test",
      allowedHosts: ["10.1.2.3"],
    });
    const url = `${host.listening.url}/v1/demo/stacks`;
    const statusFor = async (Host: string) =>
      (await ask(url, { Host, "X-Auth-Token": token })).status;
    for (const own of ["hearth.test", "Hearth.Test:443", "localhost:1", "[::1]:8004", "10.1.2.3"])
      expect([own, await statusFor(own)]).toEqual([own, 200]);
    for (const foreign of ["evil.example", "127.0.0.1.evil.example", "localhost.", "10.1.2.4"])
      expect([foreign, await statusFor(foreign)]).toEqual([foreign, 403]);
    for (const malformed of ["x@localhost", "localhost/", "localhost:x", "localhost:99999"])
      expect([malformed, await statusFor(malformed)]).toEqual([malformed, 400]);
  });

  it("is there exactly once, else 400", async () => {
    const { host } = await openWorld();
    const head = "GET / HTTP/1.1\r\nConnection: close\r\n";
    const name = "Host: localhost\r\n";
    expect(statusOf(await askRaw(host.url, `${head}${name}\r\n`))).toBe("300");
    for (const names of [`${name}${name}`, `${name}host: evil.example\r\n`, "", "Host:\r\n"]) {
      const answer = await askRaw(host.url, `${head}${names}\r\n`);
      expect([names, statusOf(answer)]).toEqual([names, "400"]);
      expect(answer).toContain('"type":"HTTPBadRequest"');
    }
    expect(statusOf(await askRaw(host.url, "GET / HTTP/1.0\r\n\r\n"))).toBe("400");
  });
});

describe("a browser's Origin", () => {
  it("has the scheme, name and port of an own URL", async () => {
    const host = await startHost({ port: 0, data: null });
    const { port } = new URL(host.url);
    const statusFor = async (Origin: string) => (await ask(`${host.url}/`, { Origin })).status;
    for (const own of [host.url, `http://localhost:${port}`, `http://[::1]:${port}`])
      expect([own, await statusFor(own)]).toEqual([own, 300]);
    for (const foreign of [
      "http://localhost:3000",
      "http://127.0.0.1",
      `https://localhost:${port}`,
      "https://evil.example",
      "null",
      "",
    ])
      expect([foreign, await statusFor(foreign)]).toEqual([foreign, 403]);
    await host.stop();
  });

  it("may be the public URL's", async () => {
    const { host } = await openWorld({ publicUrl: "https://hearth.test" });
    const url = `${host.listening.url}/`;
    expect((await ask(url, { Origin: "https://hearth.test" })).status).toBe(300);
    expect((await ask(url, { Origin: "http://hearth.test" })).status).toBe(403);
    expect((await ask(url, { Origin: "https://hearth.test:8443" })).status).toBe(403);
  });
});

describe("a proxy", () => {
  const forwarded = {
    Host: "upstream.internal",
    "X-Forwarded-Host": "hearth.test",
    "X-Forwarded-Proto": "https",
  };
  const behind = { publicUrl: "https://hearth.test", tls: undefined } as const;

  it("is believed if it is trusted: which name it was asked for, and by which scheme", async () => {
    const { host, token } = await openWorld({ ...behind, trustProxy: ["127.0.0.1"] });
    const url = `${host.listening.url}/v1/demo/stacks`;
    const headers = { ...forwarded, "X-Auth-Token": token };
    expect((await ask(url, headers)).status).toBe(200);
    expect((await ask(url, { ...headers, "X-Forwarded-Host": "evil.example" })).status).toBe(403);
    const inClear = await ask(url, { ...headers, "X-Forwarded-Proto": "http" });
    expect([inClear.status, inClear.body]).toEqual([403, expect.stringContaining("Use https.")]);
  });

  it("is not believed if it is not trusted", async () => {
    for (const trustProxy of [undefined, ["10.0.0.0/8"]]) {
      const { host, token } = await openWorld({ ...behind, trustProxy });
      const url = `${host.listening.url}/v1/demo/stacks`;
      expect((await ask(url, { ...forwarded, "X-Auth-Token": token })).status).toBe(403);
      const direct = { Host: "localhost", "X-Forwarded-Host": "evil.example" };
      expect((await ask(url, { ...direct, "X-Auth-Token": token })).status).toBe(200);
    }
  });
});
