/** A signed URL is a credential, so commands print it whole only if a user names it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { hearthHere } from "./hearth-here.ts";

const TEMPLATE = `heat_template_version: 2018-08-31
resources:
  server: {type: "OS::Heat::DeployedServer"}
  handle: {type: "OS::Heat::WaitConditionHandle"}
  config:
    type: OS::Heat::SoftwareConfig
    properties:
      group: script
      inputs: [{name: url}]
      config: "#!/bin/sh"
  software:
    type: OS::Heat::SoftwareDeployment
    properties:
      server: {get_resource: server}
      config: {get_resource: config}
      input_values: {url: {get_attr: [handle, curl_cli]}}
      signal_transport: NO_SIGNAL
  thing: {type: "OS::Heat::TestResource", properties: {value: {get_attr: [handle, curl_cli]}}}
outputs:
  url: {value: {get_attr: [server, os_collect_config, request, metadata_url]}}
  cli: {value: {get_attr: [handle, curl_cli]}}
  nested: {value: {deep: [{get_attr: [handle, curl_cli]}]}}
`;

let host: Host;
let folder: string;
let template: string;

const run = (...words: readonly string[]) => hearthHere(host.url, ...words);

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-masked-"));
  template = join(folder, "template.yaml");
  writeFileSync(template, TEMPLATE);
  expect(await run("stack", "create", "app", "-t", template)).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const SIGNED = /[?&]sig=[^*&\s"'\\]+/;

describe("a signed URL", () => {
  it("is whole where a user names it", async () => {
    const named = [
      await run("stack", "outputs", "app", "url"),
      await run("--json", "stack", "outputs", "app", "cli"),
      await run("resource", "show", "app", "handle", "curl_cli"),
      await run("--json", "resource", "show", "app", "handle", "curl_cli"),
      await run("server", "bootstrap", "app", "--local", "--format", "script"),
    ];
    for (const { stdout } of named) expect(stdout).toMatch(SIGNED);
  });

  it.each([
    ["stack", "show", "app"],
    ["stack", "outputs", "app"],
    ["stack", "events", "app"],
    ["stack", "resources", "app", "--long"],
    ["stack", "update", "app", "--dry-run"],
    ["stack", "diff", "app"],
    ["resource", "show", "app", "handle"],
    ["resource", "show", "app", "server"],
    ["resource", "show", "app", "thing"],
    ["deployment", "list", "--long"],
    ["deployment", "show", "app", "software"],
    ["deployment", "diagnose", "app", "software"],
  ])("is masked in %s %s %s", async (...words) => {
    const changed = join(folder, "changed.yaml");
    writeFileSync(changed, TEMPLATE.replace("value: {get_attr: [handle, curl_cli]}", "value: new"));
    const all = words.includes("--dry-run") ? [...words, "-t", changed] : words;
    for (const { code, stdout } of [await run(...all), await run("--json", ...all)]) {
      expect(code, stdout).toBe(0);
      expect(stdout).not.toMatch(SIGNED);
    }
    JSON.parse((await run("--json", ...all)).stdout);
  });

  it("has its signature in no token of a handle, unless that is named", async () => {
    const token = (await run("resource", "show", "app", "handle", "token")).stdout.trim();
    expect(token.length).toBeGreaterThan(20);
    const texts = [
      await run("resource", "show", "app", "handle"),
      await run("--json", "resource", "show", "app", "handle"),
    ];
    for (const { stdout } of texts) expect(stdout).not.toContain(token);
  });

  it("is seen to be masked, so that nobody takes it for whole", async () => {
    for (const words of [
      ["stack", "outputs", "app"],
      ["resource", "show", "app", "handle"],
      ["deployment", "show", "app", "software"],
    ]) {
      expect((await run(...words)).stdout).toContain("sig=******");
      expect((await run("--json", ...words)).stdout).toContain("sig=******");
    }
  });
});
