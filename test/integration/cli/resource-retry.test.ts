import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { startFakeHeat } from "./fake-heat.ts";
import { hearthHere, printedHere } from "./hearth-here.ts";

let host: Host;
let folder: string;

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-retry-"));
  const things = {
    base: {},
    thing: { value: "{get_attr: [base, output]}" },
    above: { value: "{get_attr: [thing, output]}" },
    apart: {},
  };
  // Each update visits a nested stack, and here nothing changes in it.
  const chain = template("chain", things, GROUP);
  await run("stack", "create", "web", "-t", chain);
  const failing = template("failing", {
    bad: { fail: "true" },
    behind: { value: "{get_attr: [bad, output]}" },
  });
  await hearthHere(host.url, "stack", "create", "failing", "-t", failing);
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) => printedHere(host.url, ...words);

const GROUP = `  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: "OS::Heat::RandomString"}}
`;

const template = (
  name: string,
  things: Readonly<Record<string, object>>,
  more: string = "",
): string => {
  const resources = Object.entries(things).map(([thing, properties]) => {
    const given = Object.entries(properties).map(([key, value]) => `${key}: ${value}`);
    return `  ${thing}: {type: "OS::Heat::TestResource", properties: {${given.join(", ")}}}\n`;
  });
  const path = join(folder, `${name}.yaml`);
  writeFileSync(
    path,
    `heat_template_version: 2016-10-14\nresources:\n${resources.join("")}${more}`,
  );
  return path;
};

const objects = async (): Promise<Record<string, string>> => {
  const { resources } = JSON.parse(await run("--json", "stack", "resources", "web"));
  return Object.fromEntries(
    resources.map((one: { resource_name: string; physical_resource_id: string }) => [
      one.resource_name,
      one.physical_resource_id,
    ]),
  );
};

it("refuses a resource that has not failed, and names what helps", async () => {
  expect(await hearthHere(host.url, "resource", "retry", "web", "thing")).toMatchObject({
    code: 1,
    stderr:
      'thing of web has not failed: it is CREATE_COMPLETE. "hearth stack mark-unhealthy web thing" lets an update replace it.',
  });
  const behind = await hearthHere(host.url, "resource", "retry", "failing", "behind");
  expect(behind).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('INIT_COMPLETE. "hearth stack diagnose failing" says what'),
  });
  await expect(run("resource", "retry", "web", "none")).rejects.toThrow(
    "The Resource (none) could not be found in Stack web.",
  );
});

it("with --dry-run shows the resource and what depends on it, and changes nothing", async () => {
  await run("stack", "mark-unhealthy", "web", "thing");
  const before = await objects();
  const shown = await run("resource", "retry", "web", "thing", "--dry-run");
  expect(shown).toContain("An update of the stack as it is tries thing again.\n");
  expect(shown).toMatch(/^± replaced +thing /m);
  expect(shown).not.toContain("does not depend");
  expect(shown).not.toMatch(/^. (?:updated|replaced) +(?:base|apart) /m);
  expect(await objects()).toEqual(before);
});

it("names other resources that the update changes too", async () => {
  await run("stack", "mark-unhealthy", "web", "apart");
  expect(await run("resource", "retry", "web", "thing", "--dry-run")).toContain(
    "It changes also what does not depend on that: apart.\n",
  );
  await run("stack", "mark-unhealthy", "web", "apart", "--reset");
});

it("makes the resource again, and leaves alone what it does not depend on", async () => {
  const before = await objects();
  expect(await run("resource", "retry", "web", "thing")).toContain("UPDATE_COMPLETE");
  const after = await objects();
  expect(after["thing"]).not.toBe(before["thing"]);
  expect([after["base"], after["apart"]]).toEqual([before["base"], before["apart"]]);
});

it("ends with 1 if it fails again", async () => {
  const again = await hearthHere(host.url, "resource", "retry", "failing", "bad");
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("The update of failing ended as UPDATE_FAILED");
  expect(again.stdout).toContain("An update of the stack as it is tries bad again.");
});

it("sends no update for a creation whose outcome is unknown", async () => {
  const heat = await startFakeHeat();
  const resource = {
    resource_name: "lost",
    resource_type: "Acme::Thing",
    resource_status: "CREATE_FAILED",
    resource_status_reason: "outcome unknown: say so with `hearth stack resource resolve`",
  };
  const path = "/v1/demo/stacks/web/11111111-2222-3333-4444-555555555555/resources/lost";
  heat.answerWith(`GET ${path}`, { resource });
  const refused = await hearthHere(heat.endpoint, "resource", "retry", "web", "lost");
  await heat.close();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("lost of web cannot be tried again yet: outcome unknown");
  expect(new Set(heat.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
});
