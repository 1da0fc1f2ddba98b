import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { at, send } from "../host/host-client.ts";
import { printedHere } from "./hearth-here.ts";

const NESTED = `heat_template_version: 2018-08-31
resources:
  server: {type: "OS::Heat::DeployedServer"}
  setup: {type: "OS::Heat::SoftwareConfig", properties: {group: script, config: "#!/bin/sh"}}
  install:
    type: OS::Heat::SoftwareDeployment
    properties:
      server: {get_resource: server}
      config: {get_resource: setup}
      signal_transport: NO_SIGNAL
`;
const TOP = `heat_template_version: 2018-08-31
resources:
  web: {type: nested.yaml}
`;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/;

let host: Host;
let folder: string;

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-lists-"));
  writeFileSync(join(folder, "nested.yaml"), NESTED);
  writeFileSync(join(folder, "top.yaml"), TOP);
  await run("stack", "create", "app", "-t", join(folder, "top.yaml"));
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) => printedHere(host.url, ...words);

it.each([
  [["stack", "list", "--nested"], /^app\/web +CREATE_COMPLETE /m],
  [
    ["stack", "resources", "app", "-n", "1"],
    /^web\/install +OS::Heat::SoftwareDeployment +CREATE/m,
  ],
  [["deployment", "list"], /^app +web\/install +web\/server +setup +CREATE_COMPLETE/m],
  [["deployment", "list", "--server", "web/server"], /^app +web\/install /m],
])("%j has names, and ids with --long only", async (words, row) => {
  const text = await run(...words);
  expect(text).toMatch(row);
  expect(text).not.toMatch(UUID);
  expect(await run(...words, "--long")).toMatch(UUID);
  expect(await run(...words, "--json")).toMatch(UUID);
});

it("shows a resource by the name that a list has, also below a nested stack", async () => {
  expect(await run("resource", "show", "app", "web/install")).toMatch(/^name +install$/m);
  expect(await run("resource", "show", "app", "web/setup", "config")).toBe("#!/bin/sh\n");
  await expect(run("resource", "show", "app", "web/setup/more")).rejects.toThrow(
    "The resource setup has no nested stack.",
  );
});

it("takes the name of a list for its events, and refuses one that no resource has", async () => {
  const events = await run("stack", "events", "app", "--resource", "web/setup");
  expect(events).toMatch(/ \[web\/setup\] CREATE_COMPLETE/);
  expect(events).not.toContain("install");
  await expect(run("stack", "events", "app", "--resource", "wbe")).rejects.toThrow(
    "The Resource (wbe) could not be found in Stack app.",
  );
  expect(
    await run("stack", "events", "app", "--resource", "app", "--since", "2100-01-01T00:00:00Z"),
  ).toBe("");
});

it("tells which attributes there are where one is misspelt", async () => {
  await expect(run("resource", "show", "app", "web/server", "nam")).rejects.toThrow(
    "server has no attribute nam. It has: name, os_collect_config.",
  );
});

it("shows a stack by the name that a list has", async () => {
  expect(await run("stack", "show", "app/web")).toMatch(/^status +CREATE_COMPLETE$/m);
  expect(await run("stack", "resources", "app/web")).toMatch(/^install /m);
  await expect(run("stack", "show", "app/none")).rejects.toThrow("none");
});

it("lists a deployment without a stack under the names that it has", async () => {
  const group = { name: "alone", group: "script", config: "" };
  const config = await send(host.url, "POST", "/v1/demo/software_configs", group);
  const config_id = String(at(config.body, "software_config", "id"));
  const given = { config_id, server_id: "elsewhere", status: "COMPLETE" };
  await send(host.url, "POST", "/v1/demo/software_deployments", given);
  expect(await run("deployment", "list")).toMatch(/^ +alone +alone +_COMPLETE/m);
});
