/** Versions that differ by one. This plays the promises of docs/versions.md. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Host, startHost } from "#host/host.ts";
import { send, waitForStack } from "../host/host-client.ts";
import { hearth } from "./hearth-process.ts";

const NO_ROUTE = {
  code: 404,
  title: "Not Found",
  error: { type: "HTTPNotFound", message: "The resource could not be found." },
};
const NEWER = /\/diagnosis$|\/servers\/[^/]+$|\/_ready$/;

let host: Host;
let older: Server;
let olderUrl: string;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
  older = createServer(async (request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const found = NEWER.test(path)
      ? Response.json(NO_ROUTE, { status: 404 })
      : path.endsWith("/build_info")
        ? Response.json({ api: { revision: "0.1.0" }, engine: { revision: "0.1.0" } })
        : await fetch(`${host.url}${request.url}`, { redirect: "manual" });
    response.writeHead(found.status, { location: found.headers.get("location") ?? "" });
    response.end(await found.text());
  });
  await new Promise<void>((resolve) => older.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = older.address();
  olderUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const resources = { web: { type: "OS::Heat::DeployedServer" } };
  const template = { heat_template_version: "2018-08-31", resources };
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
});
afterEach(async () => {
  older.close();
  await host.stop();
});

describe("a command with an older host", () => {
  it("says which version the host has, and that it lacks the route", async () => {
    const lacks = (route: string) =>
      `ERROR: This host (version 0.1.0) has no ${route}: it is older than this command, or it is Heat. Upgrade the host, or use a command of its version.\n`;
    expect(await hearth(olderUrl, "stack", "diagnose", "app")).toMatchObject({
      code: 1,
      stderr: lacks("GET /stacks/NAME/ID/diagnosis"),
    });
    expect(await hearth(olderUrl, "server", "list")).toMatchObject({
      code: 1,
      stderr: lacks("GET /servers/ID"),
    });
  });

  it("does all else as ever, and says what is really missing", async () => {
    expect(await hearth(olderUrl, "stack", "list")).toMatchObject({ code: 0, stderr: "" });
    expect((await hearth(olderUrl, "stack", "show", "app")).stdout).toContain("CREATE_COMPLETE");
    expect((await hearth(olderUrl, "stack", "show", "gone")).stderr).toBe(
      "ERROR: The Stack (gone) could not be found.\n",
    );
  });
});

const FormerHealth = z.object({
  health: z.object({
    now_ms: z.number(),
    last_sweep_at_ms: z.number().nullable(),
    queues: z.array(
      z.object({
        name: z.string(),
        holds: z.enum(["work", "dead-letters", "given-up", "stream-failures"]),
        waiting: z.int(),
        delayed: z.int(),
        in_flight: z.int(),
        oldest_waiting_ms: z.number().nullable(),
      }),
    ),
    probe_url: z.url(),
  }),
});

describe("an older command with this host", () => {
  it("reads the answer of the health", async () => {
    const { body } = await send(host.url, "GET", "/v1/demo/_health");
    expect(FormerHealth.safeParse(body).success).toBe(true);
  });
});
