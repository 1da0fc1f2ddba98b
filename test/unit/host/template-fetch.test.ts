import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createPlainServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPrivateAddress, templateFetch } from "#host/template-fetch.ts";

const TEXT = "heat_template_version: 2016-10-14\n";
const BYTES_MAX = 1_000;

let server: Server;
let port: number;
let asked: string[];
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/moved") response.writeHead(302, { Location: "/app.yaml" }).end();
    else if (request.url === "/large") response.end("x".repeat(BYTES_MAX + 1));
    else if (request.url === "/app.yaml") response.end(TEXT);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  port = address !== null && typeof address === "object" ? address.port : 0;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Treats the only address that a test has as a public one. */
const open = (...hosts: string[]) =>
  templateFetch({ hosts, isForbidden: (address) => address !== "127.0.0.1" });
const guarded = (...hosts: string[]) => templateFetch({ hosts });

describe("fetching a template", () => {
  it("gives the text of an allowed host, by its name or its address", async () => {
    for (const name of ["localhost", "127.0.0.1"]) {
      const fetch = open(`${name}:${port}`);
      expect(await fetch(`http://${name}:${port}/app.yaml`, BYTES_MAX)).toBe(TEXT);
    }
  });

  it.each([
    ["/moved", "the answer has the status 302"],
    ["/none", "the answer has the status 404"],
    ["/large", `the template is larger than ${BYTES_MAX} bytes`],
  ])("refuses the answer to %s: %s", async (path, why) => {
    const fetch = open(`127.0.0.1:${port}`);
    await expect(fetch(`http://127.0.0.1:${port}${path}`, BYTES_MAX)).rejects.toThrow(why);
    expect(asked).toEqual([path]);
  });

  it.each([
    ["file:///etc/passwd", "the URL is not one of http or https"],
    ["no URL", "the URL is not one of http or https"],
    ["http://me:pw@allowed.test/a", "the URL has a user or a password"],
    ["http://other.test/a", "the operator does not allow the host other.test"],
    ["http://allowed.test:8080/a", "the operator does not allow the host allowed.test:8080"],
    ["http://allowed.test.other.test/a", "does not allow the host allowed.test.other.test"],
  ])("asks nobody for %s", async (url, why) => {
    await expect(guarded("allowed.test")(url, BYTES_MAX)).rejects.toThrow(why);
  });

  it("never asks a private address, whatever an allowed name resolves to", async () => {
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const fetched = guarded(host)(`http://${host}/app.yaml`, BYTES_MAX);
      await expect(fetched).rejects.toThrow("has a private address");
    }
    // A URL parser turns other spellings of an address into the same URL.
    const decimal = guarded(`127.0.0.1:${port}`)(`http://2130706433:${port}/app.yaml`, BYTES_MAX);
    await expect(decimal).rejects.toThrow("127.0.0.1 has a private address");
    expect(asked).toEqual([]);
  });
});

describe("a server that does not speak as it should", () => {
  const answering = async (text: string): Promise<Promise<string>[]> => {
    const speaker = createPlainServer((socket) => {
      socket.on("error", () => {}).once("data", () => socket.write(text));
      socket.setTimeout(200, () => socket.destroy());
    }).listen(0, "127.0.0.1");
    await once(speaker, "listening");
    const address = speaker.address();
    const at = address !== null && typeof address === "object" ? address.port : 0;
    const fetched = open(`127.0.0.1:${at}`)(`http://127.0.0.1:${at}/app.yaml`, BYTES_MAX);
    return [fetched.finally(() => speaker.close())];
  };

  it.each([
    ["switches the protocol", "HTTP/1.1 101 On\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"],
    ["breaks off", "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\nabc"],
    ["has a huge header", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
    ["speaks something else", "SSH-2.0-Server\r\n"],
  ])("is refused at once if it %s", async (_, text) => {
    const [fetched] = await answering(text);
    await expect(fetched).rejects.toThrow();
  });
});

describe("a private address", () => {
  it.each([
    "10.1.2.3",
    "100.100.0.1",
    "127.9.9.9",
    "169.254.169.254",
    "172.31.0.1",
    "192.168.1.1",
    "0.0.0.0",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:10.0.0.1",
    "fd00:ec2::254",
    "fe80::1",
    "2002:a00:1::",
    "64:ff9b::a00:1",
  ])("is %s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(["8.8.8.8", "172.32.0.1", "2606:4700::1111"])("is not %s", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
