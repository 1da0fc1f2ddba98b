import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const template = (value: string, extra: object = {}) => ({
  heat_template_version: "2016-10-14",
  resources: {
    none: { type: "OS::Heat::None" },
    secret: { type: "OS::Heat::RandomString", properties: { length: 8 } },
    value: {
      type: "OS::Heat::Value",
      depends_on: ["none"],
      properties: { value: { list_join: ["-", [value, { get_attr: ["secret", "value"] }]] } },
    },
    thing: { type: "OS::Heat::TestResource", properties: { value, wait_secs: 0.2 } },
    ...extra,
  },
  outputs: { value: { value: { get_attr: ["value", "value"] } } },
});

const hosts: Host[] = [];
const folders: string[] = [];
const start = async (data: string | null): Promise<Host> => {
  const host = await startHost({ port: 0, data });
  hosts.push(host);
  return host;
};

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-host-"));
  folders.push(folder);
  return folder;
};

describe("the embedded host", () => {
  let url = "";
  beforeEach(async () => {
    url = (await start(null)).url;
  });

  it("creates, updates and deletes a stack over HTTP by itself", async () => {
    const created = await send(url, "POST", "/v1/demo/stacks", {
      stack_name: "app",
      template: template("one"),
    });
    expect(created.status).toBe(201);
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    const first = await send(url, "GET", "/v1/demo/stacks/app");
    expect(at(first.body, "stack", "outputs", 0, "output_value")).toMatch(/^one-.{8}$/);

    const beforeUpdate = await newestEvent(url, "app");
    const updated = await send(url, "PUT", "/v1/demo/stacks/app", { template: template("two") });
    expect(updated.status).toBe(202);
    expect(await waitForStack(url, "app", beforeUpdate)).toBe("UPDATE_COMPLETE");
    const second = await send(url, "GET", "/v1/demo/stacks/app");
    expect(at(second.body, "stack", "outputs", 0, "output_value")).toMatch(/^two-.{8}$/);

    const id = String(at(second.body, "stack", "id"));
    const beforeDelete = await newestEvent(url, id);
    expect((await send(url, "DELETE", "/v1/demo/stacks/app")).status).toBe(204);
    const path = `/v1/demo/stacks/app/${id}/events?sort_dir=asc&marker=${beforeDelete}`;
    await expect
      .poll(async () => JSON.stringify((await send(url, "GET", path)).body), { timeout: 20_000 })
      .toContain("DELETE_COMPLETE");
    await expect
      .poll(async () =>
        at((await send(url, "GET", `/v1/demo/stacks/app/${id}`)).body, "stack", "stack_status"),
      )
      .toBe("DELETE_COMPLETE");
    expect((await send(url, "GET", "/_dev/resources")).body).toEqual({ resources: [] });
    expect((await send(url, "GET", "/_dev/rows?stack_name=app")).body).toEqual({
      rows: [],
      leftovers: { sync_points: 0, locks: 0 },
    });
  });

  it("rolls a failed create back on request", async () => {
    await send(url, "POST", "/v1/demo/stacks", {
      stack_name: "bad",
      disable_rollback: false,
      template: template("one", {
        broken: { type: "OS::Heat::TestResource", properties: { fail: true } },
      }),
    });
    expect(await waitForStack(url, "bad")).toBe("ROLLBACK_COMPLETE");
    expect((await send(url, "GET", "/_dev/resources")).body).toEqual({ resources: [] });
  });

  it("shows in an event the properties of its resource, and no hidden ones", async () => {
    const body = { stack_name: "app", template: template("one") };
    const created = await send(url, "POST", "/v1/demo/stacks", body);
    const path = `/v1/demo/stacks/app/${String(at(created.body, "stack", "id"))}`;
    await waitForStack(url, "app");
    const shown = async (name: string) => {
      const events = `${path}/resources/${name}/events`;
      const { body: listed } = await send(url, "GET", `${events}?limit=1`);
      const own = new URL(String(at(listed, "events", 0, "links", 0, "href")));
      const { body: one } = await send(url, "GET", own.pathname);
      return at(one, "event", "resource_properties");
    };
    expect(await shown("thing")).toEqual({ value: "one", wait_secs: 0.2 });
    expect(await shown("value")).toEqual({ value: "******" });
  });

  it("shows its state: provider objects, rows, messages, counters", async () => {
    await send(url, "POST", "/v1/demo/stacks", { stack_name: "app", template: template("one") });
    await waitForStack(url, "app");
    const objects = await send(url, "GET", "/_dev/resources");
    expect(at(objects.body, "resources", 0)).toMatchObject({
      physical_id: expect.any(String),
      stack_name: "app",
      logical_name: "thing",
      type: "OS::Heat::TestResource",
    });
    const rows = await send(url, "GET", "/_dev/rows?stack_name=app");
    expect(at(rows.body, "rows")).toHaveLength(4);
    expect(at(rows.body, "leftovers")).toEqual({ sync_points: 0, locks: 0 });
    expect((await send(url, "GET", "/_dev/rows?stack_name=nosuch")).body).toMatchObject({
      rows: [],
    });
    expect(at((await send(url, "GET", "/_dev/counters")).body, "counters", "traversals")).toBe(1);
    expect((await send(url, "GET", "/_dev/messages")).status).toBe(200);
    expect((await send(url, "POST", "/_dev/rows")).status).toBe(405);
    expect((await send(url, "GET", "/_dev/nosuch")).status).toBe(404);
  });

  it("refuses a body that is too large without reading it", async () => {
    const { hostname, port } = new URL(url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /v1/demo/stacks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${7 * 1024 * 1024}\r\n\r\n`,
        );
      });
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("close", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"title":"Request Entity Too Large"');
  });

  it("lets the sender of a body that is too large see the answer", async () => {
    const stacks = `${url}/v1/demo/stacks`;
    const body = " ".repeat(5 * 1024 * 1024);
    // The second body is sent in pieces, and no header tells its length in advance.
    const pieces = new Blob([body]).stream();
    for (const init of [{ body }, { body: pieces, duplex: "half" as const }]) {
      const answer = await fetch(stacks, { method: "POST", ...init });
      expect([answer.status, await answer.text()]).toEqual([
        413,
        expect.stringContaining("4194304"),
      ]);
    }
  });

  it("refuses a browser's requests for a foreign page", async () => {
    const status = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = request(`${url}/v1/demo/stacks`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.on("error", reject);
        asked.end();
      });
    expect(await status({ Origin: "https://evil.example" })).toBe(403);
    expect(await status({ Origin: "null" })).toBe(403);
    expect(await status({ Host: "evil.example" })).toBe(403);
    expect(await status({ Origin: "http://localhost:3000" })).toBe(403);
    expect(await status({ Host: "localhost" })).toBe(200);
  });

  it("answers agents on their own routes", async () => {
    const query = "kid=x&exp=0&gen=1&sig=x";
    const metadata = await send(url, "GET", `/v1/agent/metadata/nosuch?${query}`);
    expect(metadata.status).toBe(404);
    const signal = await send(url, "PUT", `/v1/agent/signal/nosuch?${query}`, {});
    expect(signal.status).toBe(404);
    expect((await send(url, "PUT", "/v1/agent/signal/nosuch", {})).status).toBe(403);
  });
});

describe("a data folder", () => {
  it("belongs to one host at a time", async () => {
    const folder = newFolder();
    await start(folder);
    await expect(startHost({ port: 0, data: folder })).rejects.toThrow(
      `Another Hearth host is using ${folder}.`,
    );
  });

  it("keeps stacks over a restart, and resumes operations in progress", async () => {
    const folder = newFolder();
    const first = await start(folder);
    await send(first.url, "POST", "/v1/demo/stacks", {
      stack_name: "app",
      template: template("one", {
        slow: { type: "OS::Heat::TestResource", properties: { wait_secs: 1 } },
      }),
    });
    await first.stop();
    hosts.splice(hosts.indexOf(first), 1);
    const second = await start(folder);
    expect(await waitForStack(second.url, "app")).toBe("CREATE_COMPLETE");
  });
});
