import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type ServeProcess, startServe } from "../host/serve-process.ts";
import { hearthHere } from "./hearth-here.ts";

const deployment = (config: string) => ({
  type: "OS::Heat::SoftwareDeployment",
  properties: {
    config: { get_resource: config },
    server: { get_resource: "server" },
    signal_transport: "NO_SIGNAL",
  },
});
const script = {
  type: "OS::Heat::SoftwareConfig",
  properties: { group: "script", config: "#!/bin/sh" },
};
const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: {
    server: { type: "OS::Heat::DeployedServer" },
    script,
    first: deployment("script"),
    second: deployment("script"),
  },
};

const Listed = z.object({
  software_deployments: z.array(
    z.object({ config_id: z.string(), names: z.object({ resource: z.string() }) }),
  ),
});

let folder: string;
let host: ServeProcess;
const run = (...words: readonly string[]) => hearthHere(host.url, ...words);

const delivered = async (): Promise<Readonly<Record<string, string>>> => {
  const { stdout } = await run("deployment", "list", "--json");
  const { software_deployments: all } = Listed.parse(JSON.parse(stdout));
  return Object.fromEntries(all.map(({ config_id, names }) => [names.resource, config_id]));
};

beforeAll(async () => {
  folder = freshFolder();
  host = await startServe("--memory");
  const template = join(folder, "template.json");
  writeFileSync(template, JSON.stringify(TEMPLATE));
  expect(await run("stack", "create", "web", "-t", template)).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await host.stop("SIGKILL");
  removeFolder(folder);
});

it("runs one, then both in one update, and follows it to its end", async () => {
  const before = await delivered();
  const one = await run("deployment", "run-again", "web", "second");
  expect([one.code, one.stderr]).toEqual([0, expect.not.stringContaining("ERROR")]);
  expect(one.stdout).toContain("UPDATE_COMPLETE");
  const middle = await delivered();
  expect(middle["first"]).toBe(before["first"]);
  expect(middle["second"]).not.toBe(before["second"]);
  expect((await run("deployment", "run-again", "web", "first", "second")).code).toBe(0);
  const after = await delivered();
  expect(after["first"]).not.toBe(middle["first"]);
  expect(after["second"]).not.toBe(middle["second"]);
});

it("runs nothing if one of the names is no deployment", async () => {
  const before = await delivered();
  await expect(run("deployment", "run-again", "web", "first", "server")).rejects.toThrow(
    "server of web has no deployment",
  );
  expect(await delivered()).toEqual(before);
});
