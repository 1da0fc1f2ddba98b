import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { openClient } from "#client/client.ts";
import { Unreachable } from "#client/errors.ts";

let server: Server;
afterEach(async () => {
  server.close();
  await once(server, "close");
});

const askAt = async (answer: string): Promise<unknown> => {
  server = createServer((socket) => {
    socket.once("data", () => socket.end(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const client = openClient({ endpoint: `http://127.0.0.1:${port}`, project: "demo" });
  return client.request("GET", "/stacks", z.object({ stacks: z.array(z.unknown()) }));
};

it("a host that dies in the middle of its answer is away, so a wait goes on", async () => {
  const asked = askAt("HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n{");
  await expect(asked).rejects.toThrow(Unreachable);
  await expect(asked).rejects.toThrow("closed the connection");
});

it("what does not speak HTTP is told as such", async () => {
  await expect(askAt("SSH-2.0-OpenSSH\r\n")).rejects.toThrow("does not speak HTTP");
});

it("a page in place of an answer is told as another service's", async () => {
  const asked = askAt("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>");
  await expect(asked).rejects.toThrow("The server answered 200, and not as Hearth does.");
});
