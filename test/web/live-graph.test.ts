import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { send } from "../integration/host/host-client.ts";
import { type Look, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { createStack, type MadeStack, STACKS } from "./hosts.ts";

/** Step mode stops an update where the test looks at it. */
const world = consoleWorld({ step: true });

const LOOKS = ["light", "dark", "phone"] as const satisfies readonly Look[];
const MANY = 1_000;

let replaced: MadeStack;
let fleet: MadeStack;

const scenario = (properties: JsonObject) => ({ type: "Hearth::Test::Scenario", properties });
const group = (count: number, resource: JsonObject) => ({
  type: "OS::Heat::ResourceGroup",
  properties: { count, resource_def: resource },
});

const tiers = (size: string) => ({
  network: scenario({ range: "10.0.0.0/16" }),
  database: scenario({ "size!": size, network: { get_resource: "network" } }),
  web: scenario({ database: { get_resource: "database" } }),
});

const drain = () => send(world.url, "POST", "/_dev/drain", {});

beforeAll(async () => {
  replaced = await createStack(world.url, "replaced", tiers("small"));
  fleet = await createStack(world.url, "fleet", {
    network: scenario({}),
    servers: { ...group(12, scenario({})), depends_on: "network" },
    balancer: { ...scenario({}), depends_on: "servers" },
  });
  await drain();
  const slow = { stack_name: "replaced", logical_name: "database", action: "DELETE", polls: 9 };
  await send(world.url, "POST", "/_dev/faults", slow);
  const template = { heat_template_version: "2018-08-31", resources: tiers("large") };
  await send(world.url, "PUT", `${STACKS}/replaced/${replaced.id}`, { template });
});

const open = async (hash: string, look: Look = "light") => {
  const opened = await world.open({ look, hash });
  await opened.page.locator("svg .node").first().waitFor();
  return opened;
};

const titles = (page: Page) => page.locator("svg .node title").allTextContents();

describe("a replacement in the graph", () => {
  it("stands beside the old version, which goes once it is deleted", async () => {
    const { page, problems } = await open(replaced.hash("graph"));
    expect((await titles(page)).length).toBe(3);
    // Visits: network, database (replaced), the replacement, web, then the cleanups back to
    // database.
    const old = page.getByRole("link", { name: /^database, Delete in progress, .*an old version/ });
    for (let step = 0; step < 8 && (await old.count()) === 0; step += 1) {
      await send(world.url, "POST", "/_dev/step", {});
      await page.waitForTimeout(500);
    }
    await old.waitFor();
    expect((await titles(page)).filter((text) => text.startsWith("database, ")).length).toBe(2);
    await page.getByRole("list", { name: "Legend" }).getByText("1 old version").waitFor();
    expect(problems).toEqual([]);
  });

  it.each(LOOKS)("is without barriers (%s)", async (look) => {
    const { page } = await open(replaced.hash("graph"), look);
    await page.getByRole("link", { name: /an old version/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `graph-replacement-${look}`);
  });

  it("is over once the old object is gone", async () => {
    const { page } = await open(replaced.hash("graph"));
    await drain();
    await page.getByRole("link", { name: /an old version/ }).waitFor({ state: "detached" });
    expect((await titles(page)).length).toBe(3);
  });
});

describe("a group in the graph", () => {
  it("is one node with counts, and unfolds with the keyboard", async () => {
    const { page, problems } = await open(fleet.hash("graph"));
    await page.getByRole("link", { name: /^servers, .*holds 12/ }).waitFor();
    expect((await titles(page)).length).toBe(3);
    await page.getByText("\u2713 12").waitFor();
    await page.getByRole("button", { name: "Unfold servers" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^11, / }).waitFor();
    expect((await titles(page)).length).toBe(15);
    await page.getByRole("button", { name: "Fold servers" }).click();
    await page.getByRole("link", { name: /^11, / }).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("leads to its stack, and that one back", async () => {
    const { page, problems } = await open(fleet.hash("graph", "servers"));
    const panel = page.getByRole("complementary", { name: "Resource servers" });
    await panel.getByRole("link", { name: /^fleet-servers-/ }).click();
    await page.getByText("Nested in fleet").waitFor();
    await page.getByRole("link", { name: "fleet", exact: true }).click();
    await page.getByRole("heading", { name: "fleet", exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it.each(LOOKS)("is without barriers when it is unfolded (%s)", async (look) => {
    const { page } = await open(fleet.hash("graph"), look);
    if (look === "light") await screenshot(page, "graph-folded");
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.locator("svg .frame").waitFor();
    await page.waitForTimeout(300);
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `graph-unfolded-${look}`);
  });

  it("of a thousand members costs the browser a handful of elements from far away", async () => {
    const { hash } = await createStack(world.url, "crowd", {
      crowd: group(MANY, { type: "OS::Heat::None" }),
    });
    await drain();
    const { page, problems } = await open(hash("graph"));
    await page.getByText(`\u2713 ${MANY}`).waitFor();
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.locator("svg .far").first().waitFor();
    expect(await page.locator("svg *").count()).toBeLessThan(30);
    await screenshot(page, "graph-crowd-far");
    for (let step = 0; step < 9; step += 1) {
      await page.getByRole("button", { name: "Larger" }).click();
    }
    await page
      .getByRole("link", { name: /^\d+, OS::Heat::None/ })
      .first()
      .waitFor();
    expect((await titles(page)).length).toBeLessThan(300);
    await screenshot(page, "graph-crowd-near");
    expect(problems).toEqual([]);
  });
});

describe("a graph of ten thousand", () => {
  const NODES = 10_000;
  const resourcesOf = (links: readonly JsonObject[]) =>
    Array.from({ length: NODES }, (_, at) => ({
      links,
      resource_name: `r${at}`,
      resource_type: "OS::Heat::None",
      resource_status: "CREATE_COMPLETE",
      required_by: [1, 2, 3].flatMap((more) =>
        at * 3 + more < NODES ? [`r${at * 3 + more}`] : [],
      ),
    }));

  it("is colours from far away, and near by only the nodes in sight are links", async () => {
    const { hash, id } = await createStack(world.url, "huge", { one: { type: "OS::Heat::None" } });
    await drain();
    const resources = resourcesOf([{ rel: "stack", href: `${world.url}${STACKS}/huge/${id}` }]);
    const watch = (page: Page) =>
      void page.route("**/resources?*", (route) => route.fulfill({ json: { resources } }));
    const { page, problems } = await world.open({ hash: hash("graph"), watch });
    await page.locator("svg .far").first().waitFor();
    expect(await page.locator("svg *").count()).toBeLessThan(30);
    await screenshot(page, "graph-huge-far");
    const node = page.getByRole("link", { name: /^r\d+, OS::Heat::None/ }).first();
    for (let step = 0; step < 60 && (await node.count()) === 0; step += 1) {
      await page.getByRole("button", { name: "Larger" }).click();
    }
    await node.waitFor();
    expect((await titles(page)).length).toBeLessThan(300);
    await screenshot(page, "graph-huge-near");
    expect(problems).toEqual([]);
  });
});
