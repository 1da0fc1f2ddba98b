/** A folder is restored, and the original runs on. An agent reports to the original. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { backupFolder } from "#lib/adapters/sqlite/folder/backup.ts";
import { restoreFolder } from "#lib/adapters/sqlite/folder/restore.ts";
import { type AgentProcess, startAgent } from "../agent/agent-process.ts";
import { at, send } from "./host-client.ts";

const SOON = { timeout: 20_000 };

let folder = "";
let hosts: Host[];
let agent: AgentProcess | null;
let forward: Server | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-two-"));
  hosts = [];
  agent = null;
  forward = null;
});
afterEach(async () => {
  await agent?.kill("SIGKILL");
  forward?.close();
  for (const host of hosts) await host.stop();
  rmSync(folder, { recursive: true });
});

const start = async (data: string): Promise<Host> => {
  const host = await startHost({ port: 0, data: join(folder, data), storageLookMs: 50 });
  hosts.push(host);
  return host;
};

const template = {
  heat_template_version: "2018-08-31",
  resources: { server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } } },
  outputs: { agent: { value: { get_attr: ["server", "os_collect_config"] } } },
};

const metadataUrl = async ({ url }: Host): Promise<string> => {
  const read = async () => {
    const { body } = await send(url, "GET", "/v1/demo/stacks/app");
    return at(body, "stack", "outputs", 0, "output_value", "request", "metadata_url");
  };
  await expect.poll(read, SOON).toMatch(/^http/);
  return String(await read());
};

const namedUrl = async (host: Host): Promise<string> => {
  const document: unknown = await (await fetch(await metadataUrl(host))).json();
  const named: unknown = Reflect.get(Object(document), "os-collect-config");
  return String(Reflect.get(Object(Reflect.get(Object(named), "request")), "metadata_url"));
};

const begin = async (): Promise<{ original: Host; copy: Host }> => {
  const original = await start("original");
  await send(original.url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
  await metadataUrl(original);
  const file = join(folder, "backup");
  backupFolder({ folder: join(folder, "original"), file, version: "tested", takenAt: Date.now() });
  restoreFolder(file, join(folder, "copy"), Date.now());
  return { original, copy: await start("copy") };
};

const status = async ({ url }: Host): Promise<number> =>
  (await fetch(`${url}/v1/demo/stacks`)).status;

const atHost = (url: string, { url: base }: Host): string =>
  url.replace(/^http:\/\/[^/]+/, new URL(base).origin);

describe("an original and its restored copy", () => {
  it("run side by side until an agent of the copy asks the original, which stops", async () => {
    const { original, copy } = await begin();
    const named = await namedUrl(copy);
    expect(named).toContain("&life=");
    expect([await status(original), await status(copy)]).toEqual([200, 200]);
    expect((await fetch(atHost(named, original))).status).toBe(503);
    expect(await status(original)).toBe(503);
    const { body } = await send(original.url, "GET", "/v1/demo/_health");
    expect(JSON.stringify(at(body, "health", "problems"))).toContain("was restored elsewhere");
    expect(await (await fetch(`${original.url}/_health`)).json()).toMatchObject({
      storage: "out-of-service",
    });
    expect((await fetch(named)).status).toBe(200);
    expect(await status(copy)).toBe(200);
  });

  it("are told apart by Hearth's agent, which asks the one with what the other has named", async () => {
    const { original, copy } = await begin();
    let leadsTo = copy;
    forward = createServer((socket) => {
      const onward = connect(Number(new URL(leadsTo.url).port), "127.0.0.1");
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on("error", () => end.destroy());
    });
    await new Promise<void>((done) => forward?.listen(0, "127.0.0.1", done));
    const address = forward.address();
    const port = typeof address === "object" ? address?.port : null;
    const owners = (await metadataUrl(original)).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
    agent = startAgent(owners, join(folder, "agent"));
    const urls = join(folder, "agent", "metadata-urls.json");
    const named = () => (existsSync(urls) ? readFileSync(urls, "utf8") : "");
    await expect.poll(named, SOON).toContain(`"named":"${copy.url}/`);
    leadsTo = original;
    expect(await status(original)).toBe(200);
    await copy.stop();
    hosts = [original];
    await expect.poll(() => status(original), SOON).toBe(503);
  });

  it("believe no life that is not signed for the server", async () => {
    const { original, copy } = await begin();
    const forged = (await namedUrl(copy)).replace(/&life=\d+/, `&life=${"9".repeat(15)}`);
    expect((await fetch(atHost(forged, original))).status).toBe(200);
    expect((await fetch(forged)).status).toBe(200);
    expect(await status(original)).toBe(200);
  });

  it("leave the copy alone when an agent of the original asks it", async () => {
    const { original, copy } = await begin();
    const named = await namedUrl(original);
    expect((await fetch(atHost(named, copy))).status).toBe(200);
    expect([await status(original), await status(copy)]).toEqual([200, 200]);
  });
});
