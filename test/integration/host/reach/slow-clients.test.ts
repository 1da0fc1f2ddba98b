/** Clients that begin a request and do not go on must not keep a host from stopping. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openBodyRoom } from "#host/body-room.ts";
import { startHost } from "#host/host.ts";
import { type ServeProcess, startServe } from "../serve-process.ts";
import { listen } from "./bare-listener.ts";
import { ask, askRaw, connectTo, endWorld, openWorld, stopHost } from "./reach-world.ts";

const processes: ServeProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop("SIGKILL")));
  await endWorld();
});

/** The documents promise this limit to the operator. */
const STOP_MS_MAX = 5_000;
const HALF = "POST /v1/demo/stacks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
const HEAD_ONLY = "GET /v1/demo/stacks HTTP/1.1\r\nHost: local";

const begin = async (url: string, bytes: string): Promise<{ readonly closed: Promise<void> }> => {
  const socket = await connectTo(url);
  socket.on("error", () => undefined);
  socket.resume();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  if (bytes !== "") await new Promise((resolve) => socket.write(bytes, resolve));
  return { closed };
};

/** Large answers take long on a busy machine. */
const PATIENT = { timeout: 10_000 };

describe("a listener", () => {
  const IMPATIENT = { headersMsMax: 50, requestMsMax: 100, lookMs: 20 };

  it.each([HEAD_ONLY, HALF])("answers 408 to a client that sends %j and no more", async (bytes) => {
    const { server, url, recorded } = await listen(IMPATIENT);
    expect(await askRaw(url, bytes)).toMatch(/^HTTP\/1\.1 408 /);
    expect(recorded.map(({ status, reason }) => [status, reason])).toEqual([[408, "unreadable"]]);
    await server.stop();
  });

  it("has room for so many bytes of bodies, and always for small bodies", async () => {
    const answer = async () => ({ statusCode: 200, body: "{}" });
    const stackBytesMax = 1_000_000;
    const bodyRoom = openBodyRoom(200_000);
    const { server, url } = await listen({}, { answer, stackBytesMax, bodyRoom });
    const post = async (bytes: number) => {
      const response = await fetch(`${url}/v1/demo/stacks`, {
        method: "POST",
        body: " ".repeat(bytes),
      });
      return [response.status, response.headers.get("retry-after")];
    };
    expect(await post(150_000)).toEqual([200, null]);
    const slow = await connectTo(url);
    slow.write(
      `POST /v1/demo/stacks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n\r\n`,
    );
    slow.write(" ".repeat(150_000));
    await expect.poll(() => post(150_000)).toEqual([503, "1"]);
    expect(await post(60_000)).toEqual([200, null]);
    slow.destroy();
    await expect.poll(() => post(150_000)).toEqual([200, null]);
    await server.stop();
  });

  // The kernel buffers tens of megabytes before a client has to read.
  it.each(["/v1/demo/stacks", "/v1/agent/metadata/00000000-0000-4000-8000-000000000000"])(
    "has room for so many bytes of answers of %s that nobody reads, unless they tell what was done",
    async (path) => {
      const answer = async () => ({ statusCode: 200, body: "x".repeat(64_000_000) });
      const { server, url } = await listen(
        {},
        {
          answer,
          bodyRoom: openBodyRoom(200_000_000),
        },
      );
      const status = async (method: string) => {
        const response = await fetch(`${url}${path}`, { method });
        await response.text();
        return response.status;
      };
      expect(await status("GET")).toBe(200);
      const unread = await connectTo(url);
      const begun = once(unread, "readable");
      unread.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      await begun;
      expect(await status("GET")).toBe(503);
      expect(await status("DELETE")).toBe(200);
      unread.destroy();
      await expect.poll(() => status("GET"), PATIENT).toBe(200);
      await server.stop();
    },
  );
});

describe("a host that is stopped", () => {
  it.each([HALF, HEAD_ONLY, ""])("closes a connection that has sent %j", async (bytes) => {
    const host = await startHost({ port: 0, data: null });
    const { closed } = await begin(host.url, bytes);
    // The host answers a later connection, so it has seen the earlier one.
    await ask(`${host.url}/`);
    await host.stop();
    await closed;
  });

  it("closes a handshake that does not go on", async () => {
    const { host } = await openWorld();
    const { closed } = await begin(host.url.replace("https:", "http:"), "\x16\x03");
    await ask(`${host.url}/`);
    await stopHost(host);
    await closed;
  });

  it("ends its process within 5 s of SIGTERM, with a half-sent request open", async () => {
    const served = await startServe("--memory");
    processes.push(served);
    const { port } = new URL(served.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.write(HALF, resolve));
    await ask(`${served.url}/`);
    const limit = new Promise<string>((resolve) => {
      setTimeout(resolve, STOP_MS_MAX, "still running").unref();
    });
    expect(await Promise.race([served.stop("SIGTERM"), limit])).toBe(0);
  });
});
