import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { type AgentProcess, startAgent } from "../agent/agent-process.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const SOON = { timeout: 20_000 };

let folder = "";
let host: Host;
let agents: AgentProcess[];
let former: Server | null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-moved-"));
  agents = [];
  former = null;
  host = await startHost({ port: 0, data: join(folder, "data") });
});
afterEach(async () => {
  for (const agent of agents) await agent.kill("SIGKILL");
  former?.close();
  await host.stop();
  rmSync(folder, { recursive: true });
});

const start = (url: string): AgentProcess => {
  const agent = startAgent(url, join(folder, "agent"));
  agents.push(agent);
  return agent;
};

const template = (word: string) => ({
  heat_template_version: "2018-08-31",
  resources: {
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: {
        group: "script",
        config: `#!/bin/sh
echo ${word} >> '${folder}/ran'
until [ -e '${folder}/go' ]; do sleep 0.05; done
`,
      },
    },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: { config: { get_resource: "config" }, server: { get_resource: "server" } },
    },
  },
  outputs: { agent: { value: { get_attr: ["server", "os_collect_config"] } } },
});
const ran = (): string =>
  existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : "";

const metadataUrl = async (): Promise<string> => {
  const read = async () => {
    const { body } = await send(host.url, "GET", "/v1/demo/stacks/app");
    return at(body, "stack", "outputs", 0, "output_value", "request", "metadata_url");
  };
  await expect.poll(read, SOON).toMatch(/^http/);
  return String(await read());
};

/** The new host has another port, and the former one leads nowhere. */
const move = async (): Promise<number> => {
  const port = Number(new URL(host.url).port);
  await host.stop();
  host = await startHost({ port: 0, data: join(folder, "data") });
  expect(Number(new URL(host.url).port)).not.toBe(port);
  return port;
};

it("sends a result that was held to the new address, once the agent has its URL", async () => {
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: template("one") });
  const first = start(await metadataUrl());
  await expect.poll(ran, SOON).toBe("one\n");
  await move();
  writeFileSync(join(folder, "go"), "");
  await expect.poll(() => first.printed(), SOON).toContain('"delivery":"PENDING"');
  await first.kill("SIGTERM");
  start(await metadataUrl());
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  expect(ran()).toBe("one\n");
});

it("leads its agents to the new address while the former one still leads to it", async () => {
  writeFileSync(join(folder, "go"), "");
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: template("one") });
  start(await metadataUrl());
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  const port = await move();
  const now = Number(new URL(host.url).port);
  const forwarded = createServer((socket) => {
    const onward = connect(now, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on("error", () => end.destroy());
  });
  former = forwarded.listen(port, "127.0.0.1");
  const urls = join(folder, "agent", "metadata-urls.json");
  const named = () => (existsSync(urls) ? readFileSync(urls, "utf8") : "");
  await expect.poll(named, SOON).toContain(`"named":"${host.url}/`);
  forwarded.close();
  const marker = await newestEvent(host.url, "app");
  const changed = { template: template("two") };
  const { status } = await send(host.url, "PATCH", "/v1/demo/stacks/app", changed);
  expect(status).toBe(202);
  expect(await waitForStack(host.url, "app", marker)).toBe("UPDATE_COMPLETE");
  expect(ran()).toBe("one\ntwo\n");
});
