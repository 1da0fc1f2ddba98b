import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  EngineRefused,
  EngineUnreachable,
  openEngine,
  readAnswer,
} from "#providers/docker/engine/client.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

let folder: string;
let server: Server | null;
beforeEach(() => {
  folder = freshFolder();
  server = null;
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  removeFolder(folder);
});

const engineWith = async (listener: RequestListener) => {
  const socketPath = join(folder, "engine.sock");
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(socketPath, resolve));
  return openEngine({ socketPath });
};

const PING = { method: "GET", path: "/_ping" } as const;

describe("an engine", () => {
  it("that is not there is unreachable", async () => {
    const engine = openEngine({ socketPath: join(folder, "nothing.sock") });
    await expect(engine.ask(PING)).rejects.toThrow(EngineUnreachable);
  });

  it("that closes without an answer, or in its middle, is unreachable", async () => {
    const engine = await engineWith((request, response) => {
      if (request.url === "/_ping") return void response.destroy();
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    await expect(engine.ask(PING)).rejects.toThrow(EngineUnreachable);
    await expect(engine.ask({ method: "GET", path: "/other" })).rejects.toThrow(EngineUnreachable);
  });

  it("that does not answer in time is unreachable", async () => {
    const engine = await engineWith(() => undefined);
    await expect(engine.ask({ ...PING, limitMs: 30 })).rejects.toThrow(EngineUnreachable);
  });

  it("sends JSON, a tar and a query as they are given", async () => {
    const seen: unknown[] = [];
    const engine = await engineWith((request, response) => {
      request.resume().on("end", () => {
        seen.push([request.method, request.url, request.headers["content-type"]]);
        response.end("{}");
      });
    });
    const query = { name: "a b" };
    await engine.ask({ method: "POST", path: "/x", query, json: { a: 1 } });
    await engine.ask({ method: "PUT", path: "/y", tar: Buffer.from("tar") });
    expect(seen).toEqual([
      ["POST", "/x?name=a+b", "application/json"],
      ["PUT", "/y", "application/x-tar"],
    ]);
  });
});

describe("an answer", () => {
  const schema = z.object({ Id: z.string() });

  it("is read by its schema", () => {
    expect(readAnswer(schema, { status: 200, text: '{"Id":"1"}' })).toEqual({ Id: "1" });
  });

  it.each([
    [500, '{"message":"no space left"}', "no space left"],
    [502, "<html>", "<html>"],
    [404, "", "status 404"],
    [200, "[]", "the answer does not have the form of Docker's API: "],
    [200, "{", "the answer does not have the form of Docker's API: "],
  ])("with status %i and %s is refused", (status, text, message) => {
    const read = () => readAnswer(schema, { status, text });
    expect(read).toThrow(EngineRefused);
    expect(read).toThrow(message);
  });
});
