/** A listener that is full must let the next client in, whatever those do that hold it. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { readTlsFiles } from "#host/tls-files.ts";
import { listen } from "./bare-listener.ts";
import { ask, connectTo, endWorld, newFolder, putCertificate } from "./reach-world.ts";

afterEach(endWorld);

const HEAD = "HTTP/1.1\r\nHost: localhost\r\n";
const SLOW_HEAD = `GET /v1/demo/stacks ${HEAD}X-Slow: `;
const SLOW_BODY = `POST /v1/demo/stacks ${HEAD}Content-Length: 100\r\n\r\n{`;
const LARGE = `GET /v1/large/stacks ${HEAD}\r\n`;
const SLOW_ANSWER = `GET /v1/slow/stacks ${HEAD}\r\n`;
const CONNECTIONS_MAX = 8;
const CLIENTS = 40;
/** The kernel keeps some megabytes for a client that does not read. */
const large = "x".repeat(8_000_000);
const tls = () => readTlsFiles(putCertificate(newFolder(), "first"));

const answer = async ({ path }: { readonly path: string }) => ({
  statusCode: 200,
  body: path.includes("large") ? large : "{}",
});

/** Its half of the connection stays open when the host ends the other half. */
const openHalf = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
};

const opened = async (url: string, bytes: string): Promise<Socket> => {
  const socket = await connectTo(url);
  socket.on("error", () => undefined);
  if (bytes !== "") await new Promise((resolve) => socket.write(bytes, resolve));
  return socket;
};

const closeOf = (socket: Socket) => new Promise((resolve) => socket.once("close", resolve));

const isOpen = async (url: string): Promise<boolean> =>
  (await ask(`${url}/v1/demo/stacks`)).status === 200;

describe("a full listener", () => {
  it.each([
    ["say nothing", "", false],
    ["say nothing through TLS", "", true],
    ["stop within a TLS handshake", "\x16\x03", "half"],
    ["send a head slowly", SLOW_HEAD, false],
    ["send a body slowly", SLOW_BODY, false],
    ["send a body slowly through TLS", SLOW_BODY, true],
    ["do not read their answers", LARGE, false],
    ["do not read their answers through TLS", LARGE, true],
  ])("lets each new client in while five times as many %s", async (_, bytes, secure) => {
    const material = secure === false ? null : tls();
    const { server, url } = await listen({ connectionsMax: CONNECTIONS_MAX }, { answer }, material);
    const place = secure === "half" ? url.replace("https", "http") : url;
    const held: Socket[] = [];
    for (let client = 0; client < CLIENTS; client += 1) {
      held.push(await opened(place, bytes));
      if (client % CONNECTIONS_MAX === 0) expect(await isOpen(url)).toBe(true);
    }
    await server.stop();
    for (const socket of held) socket.destroy();
  });

  it("closes the connection that waited first, even if bytes trickle in", async () => {
    const { server, url } = await listen({ connectionsMax: 2 }, { answer });
    const slow = await opened(url, SLOW_HEAD);
    const silent = await opened(url, "");
    slow.write("x");
    silent.resume();
    slow.resume();
    const closed = closeOf(slow);
    expect(await isOpen(url)).toBe(true);
    await closed;
    expect(silent.closed).toBe(false);
    await server.stop();
  });

  it("spares the request that it is answering, and refuses a client if it answers to all", async () => {
    const release = Promise.withResolvers<void>();
    let begun = 0;
    const { server, url } = await listen(
      { connectionsMax: 2 },
      {
        answer: async (request) => {
          begun += 1;
          if (request.path.includes("slow")) await release.promise;
          return answer(request);
        },
      },
    );
    const busy = await opened(url, SLOW_ANSWER);
    await expect.poll(() => begun).toBe(1);
    for (let client = 0; client < CONNECTIONS_MAX; client += 1) await opened(url, "");
    expect(await isOpen(url)).toBe(true);
    await opened(url, SLOW_ANSWER);
    await expect.poll(() => begun).toBe(3);
    await expect(isOpen(url)).rejects.toThrow();
    const [text] = await Promise.all([once(busy, "data"), release.resolve()]);
    expect(String(text)).toMatch(/^HTTP\/1\.1 200 /);
    await server.stop();
  });
});

describe("a refused client", () => {
  const IMPATIENT = { headersMsMax: 50, requestMsMax: 100, lookMs: 20 };

  it.each([
    ["408", SLOW_HEAD],
    ["400", "nonsense\r\n\r\n"],
    ["405", `CONNECT elsewhere:80 ${HEAD}\r\n`],
  ])("that gets %s and leaves its half open loses the connection", async (status, bytes) => {
    const { server, url } = await listen(IMPATIENT);
    const socket = await openHalf(url);
    socket.write(bytes);
    const [text] = await once(socket, "data");
    expect(String(text)).toContain(` ${status} `);
    const closed = closeOf(socket);
    // A connection that the host has left answers what is sent to it with a reset.
    const sending = setInterval(() => socket.write("x"), 20);
    await closed;
    clearInterval(sending);
    await server.stop();
  });
});
