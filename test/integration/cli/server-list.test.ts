import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { AGENT_VERSION } from "../../../apps/agent/polling.ts";
import manifest from "../../../package.json" with { type: "json" };
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type AgentProcess, startAgent } from "../agent/agent-process.ts";
import { at, send, waitForStack } from "../host/host-client.ts";
import { hearth } from "./hearth-process.ts";

const SERVER = { type: "OS::Heat::DeployedServer" };
const VERSION = "2018-08-31";
const GROUP = {
  type: "OS::Heat::ResourceGroup",
  properties: { count: 1, resource_def: SERVER },
};

let host: Host;
let folder: string;
let agent: AgentProcess | null = null;
beforeEach(async () => {
  folder = freshFolder();
  host = await startHost({ port: 0, data: null });
  for (const [project, name, resources] of [
    ["demo", "app", { web: SERVER, pool: GROUP, other: { type: "OS::Heat::None" } }],
    ["demo", "next", { web: SERVER }],
    ["other", "theirs", { web: SERVER }],
  ] as const) {
    const template = { heat_template_version: VERSION, resources };
    await send(host.url, "POST", `/v1/${project}/stacks`, { stack_name: name, template });
  }
  for (const name of ["app", "next"])
    expect(await waitForStack(host.url, name)).toBe("CREATE_COMPLETE");
});
afterEach(async () => {
  await agent?.kill("SIGKILL");
  agent = null;
  await host.stop();
  removeFolder(folder);
});

describe("hearth server list", () => {
  it("names the stack, the agent's version, the last poll and the refused polls", async () => {
    const { stdout: url } = await hearth(
      host.url,
      "resource",
      "show",
      "app",
      "web",
      "os_collect_config",
    );
    const metadataUrl = String(at(JSON.parse(url), "request", "metadata_url"));
    agent = startAgent(metadataUrl, folder);
    const rows = async (...stack: readonly string[]) => {
      const { stdout } = await hearth(host.url, "server", "list", ...stack, "--json");
      const servers = at(JSON.parse(stdout), "servers");
      return Array.isArray(servers) ? servers : [];
    };
    await expect
      .poll(async () => at(await rows("app"), 0, "contact"), { timeout: 20_000 })
      .toBe("polls");
    expect((await fetch(metadataUrl.replace(/sig=../, "sig=AA"))).status).toBe(403);
    const servers = await rows();
    const shown = servers.map(
      (one) => `${at(one, "stack")} ${at(one, "name")} ${at(one, "contact")}`,
    );
    expect(shown.toSorted()).toEqual(["app pool/0 unseen", "app web polls", "next web unseen"]);
    const web = servers.find((one) => at(one, "stack") === "app" && at(one, "name") === "web");
    expect(web).toMatchObject({
      agent: `hearth-agent/${manifest.version}`,
      last_poll: expect.stringMatching(/Z$/),
      refused_polls: 1,
      last_refused: expect.stringMatching(/Z$/),
    });
    const { stdout } = await hearth(host.url, "server", "list", "next");
    expect(stdout).toBe(
      "STACK  SERVER  CONTACT  AGENT  LAST POLL  REFUSED POLLS  REFUSED  UNFINISHED\nnext   web     unseen          never\n",
    );
    expect((await send(host.url, "GET", `/v1/other/servers/${at(web, "id")}`)).status).toBe(404);
  });

  it("names the deployments that a server has not ended", async () => {
    const setup = { group: "script", config: "#!/bin/sh" };
    const install = { server: { get_resource: "web" }, config: { get_resource: "setup" } };
    const resources = {
      web: SERVER,
      setup: { type: "OS::Heat::SoftwareConfig", properties: setup },
      install: { type: "OS::Heat::SoftwareDeployment", properties: install },
    };
    const template = { heat_template_version: VERSION, resources };
    await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "busy", template });
    const list = () => hearth(host.url, "server", "list", "busy");
    await expect
      .poll(async () => (await list()).stdout, { timeout: 20_000 })
      .toMatch(/^busy +web +unseen +never +install$/m);
  });

  it("has the agent's version from the package", () => {
    expect(AGENT_VERSION).toBe(manifest.version);
  });
});
