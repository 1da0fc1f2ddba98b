import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPlugins } from "#host/plugins/load-plugin.ts";
import {
  NO_REMOTE_ACCESS,
  type RemoteAccess,
  readSecrets,
  remoteAddress,
} from "#host/plugins/remote-plugin.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => removeFolder(folder));

const accessTo = (url: string, changes: Partial<RemoteAccess> = {}): RemoteAccess => ({
  ...NO_REMOTE_ACCESS,
  secrets: new Map([[url, SECRET]]),
  ...changes,
});

describe("an address", () => {
  it.each([
    ["https://files.example/", "https://files.example"],
    ["https://files.example:8443/a/b/", "https://files.example:8443/a/b"],
    ["http://127.0.0.1:8700", "http://127.0.0.1:8700"],
    ["http://localhost:8700/files", "http://localhost:8700/files"],
    ["http://[::1]:8700", "http://[::1]:8700"],
  ])("may be %s", (source, url) => {
    expect(remoteAddress(source, accessTo(url))).toEqual({ url, secret: SECRET });
  });

  it.each([
    ["http://files.example", /plain HTTP is only for this machine/],
    ["http://192.0.2.1:8700", /plain HTTP is only for this machine/],
    ["https://user:word@files.example", /has a user, a query or a fragment/],
    ["https://files.example/?key=1", /has a user, a query or a fragment/],
    ["https://other.example", /it has no secret/],
    ["https://", /is not a URL/],
  ])("may not be %s", (source, why) => {
    const access = accessTo("https://files.example");
    expect(() => remoteAddress(source, access)).toThrow(why);
    expect(() => remoteAddress(source, access)).not.toThrow(/word|key=1/);
  });

  it("may have plain HTTP in a network that encrypts by itself", () => {
    const url = "http://files.example";
    expect(remoteAddress(url, accessTo(url, { allowsPlainHttp: true })).url).toBe(url);
  });
});

describe("secrets", () => {
  const saved = (text: string, mode = 0o600): string => {
    const file = join(folder, "secrets.json");
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };

  it("are in a file, or in the environment", () => {
    const text = JSON.stringify({ "https://files.example/": SECRET });
    const secrets = new Map([["https://files.example", SECRET]]);
    expect(readSecrets(saved(text), undefined)).toEqual(secrets);
    expect(readSecrets(undefined, text)).toEqual(secrets);
    expect(readSecrets(undefined, undefined)).toEqual(new Map());
  });

  it.each([
    [SECRET, /must be a JSON object of addresses and secrets/],
    [JSON.stringify({ "https://files.example": "short" }), /at least 32 characters/],
  ])("are refused without being shown: %s", (text, why) => {
    expect(() => readSecrets(saved(text), undefined)).toThrow(why);
    expect(() => readSecrets(saved(text), undefined)).not.toThrow(/short|0123/);
  });

  it("are for nobody but their owner", () => {
    const text = JSON.stringify({ "https://files.example": SECRET });
    expect(() => readSecrets(saved(text, 0o644), undefined)).toThrow(/Others can read the secrets/);
    expect(() => readSecrets(join(folder, "none"), undefined)).toThrow(/there is no such file/);
  });
});

describe("a server", () => {
  const refusal = async (answer: string, status = 200): Promise<string> => {
    const server = createServer(
      (_request, response) => void response.writeHead(status).end(answer),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    const url = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
    try {
      await loadPlugins([url], accessTo(url));
      return "";
    } catch (error) {
      return error instanceof Error ? error.message.replace(url, "URL") : "";
    } finally {
      server.close();
    }
  };
  const TYPE = { description: "", properties: {}, tokens: "kept", functions: [] };
  const describing = (types: object): string => JSON.stringify({ protocol: 1, name: "p", types });

  it.each([
    ["<html>", /its description cannot be read: it is not JSON\.$/],
    ['{"protocol":3}', /protocol: must be the version of the protocol, which is 1 or 2\.$/],
    [describing({}), /types: must have at least one resource type\.$/],
    [describing({ Thing: TYPE }), /types\.Thing: a type has a name such as My::File\.$/],
    [describing({ "My::A": { ...TYPE, tokens: "searchable" } }), /types\.My::A\.find: /],
    [describing({ "My::A": { ...TYPE, functions: ["create"] } }), /types\.My::A\.functions\.0: /],
    [describing({ "OS::Heat::Stack": TYPE }), /Hearth has this name itself\.$/],
  ])("is refused for the answer %s", async (answer, why) => {
    expect(await refusal(answer)).toMatch(/^The plug-in URL cannot be used: /);
    expect(await refusal(answer)).toMatch(why);
  });

  it.each([
    [401, /its description cannot be read: HTTP status 401, wrong_signature\.$/],
    [302, /its description cannot be read: HTTP status 302, wrong_signature\.$/],
    [500, /HTTP status 500, wrong_signature\.$/],
    [429, /the provider is busy\.$/],
  ])("is refused for the status %i", async (status, why) => {
    expect(await refusal('{"error":"wrong_signature"}', status)).toMatch(why);
  });

  it("shows no other text of a refusal", async () => {
    expect(await refusal(`{"error":"${SECRET} is wrong"}`, 401)).toMatch(/HTTP status 401\.$/);
  });

  it("that comes up late is waited for", async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200).end(describing({ "My::A": TYPE }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    const url = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
    try {
      const [plugin] = await loadPlugins([url], accessTo(url, { waitSecondsMax: 15 }));
      expect([asked, plugin?.source]).toEqual([2, url]);
    } finally {
      server.close();
    }
  });

  it("that is not there is refused", async () => {
    const url = "http://127.0.0.1:2";
    await expect(loadPlugins([url], accessTo(url))).rejects.toThrow(/\(ECONNREFUSED\)\.$/);
  });
});
