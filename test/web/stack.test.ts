import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type Look, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { createStack, type MadeStack, testResource, untilStatus } from "./hosts.ts";

const world = consoleWorld();

const LOOKS = ["light", "dark", "phone"] as const satisfies readonly Look[];
const TABS = ["resources", "graph", "timeline", "events", "outputs", "template"] as const;

let shop: MadeStack;

const TIERS = {
  network: testResource(),
  // Long enough to be visible in the timeline.
  database: testResource({ wait_secs: 3 }, "network"),
  cache: testResource({ wait_secs: 1 }, "network"),
  password: { type: "OS::Heat::RandomString", properties: { length: 12 } },
  app: testResource({ value: "two tiers", wait_secs: 2 }, "database", "cache", "password"),
  web: testResource({}, "app"),
  monitor: testResource({ fail: true }, "web"),
};
const OUTPUTS = {
  address: { description: "Where customers go.", value: "http://shop.example" },
  ports: { value: [80, 443] },
};

beforeAll(async () => {
  const options = { outputs: OUTPUTS, disable_rollback: true, tags: "prod" };
  shop = await createStack(world.url, "shop", TIERS, options);
  await untilStatus(world.url, "shop", "CREATE_FAILED");
});

describe("one stack", () => {
  it("shows its resources, and the chosen one with its attributes and neighbours", async () => {
    const { page, problems } = await world.open({ hash: shop.hash("resources") });
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.getByText("Resource CREATE failed").first().waitFor();
    await page.getByRole("link", { name: "app", exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Resource app" });
    await panel.getByText("two tiers").first().waitFor();
    for (const name of ["database", "cache", "password", "web"]) {
      expect(await panel.getByRole("link", { name, exact: true }).count()).toBe(1);
    }
    await panel.getByRole("link", { name: "Close the resource" }).click();
    await panel.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("shows the properties of a resource, and the lines of the template that define it", async () => {
    const { page, problems } = await world.open({ hash: shop.hash("resources", "app") });
    const panel = page.getByRole("complementary", { name: "Resource app" });
    await panel.getByRole("heading", { name: "Properties" }).waitFor();
    expect(await panel.locator("dl").nth(1).innerText()).toMatch(
      /value\s+two tiers\s+wait_secs\s+2/,
    );
    await panel.getByRole("link", { name: "in the template" }).click();
    await page.getByText(/^app begins in line \d+\.$/).waitFor();
    const lines = await page.locator(".template mark").innerText();
    expect(lines).toMatch(/^ {2}app:\n {4}type: OS::Heat::TestResource\n/);
    expect(lines).toContain("value: two tiers");
    await page.getByRole("link", { name: "Close the resource" }).click();
    await page.locator(".template mark").waitFor({ state: "detached" });
    expect(await page.locator(".template").innerText()).toContain(lines);
    expect(problems).toEqual([]);
  });

  it("gives a file for somebody who helps", async () => {
    const { page, problems } = await world.open({ hash: shop.hash("resources") });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Support bundle" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("shop-support.json");
    const text = readFileSync(await file.path(), "utf8");
    expect(text).toContain("CREATE_FAILED");
    expect(text).not.toContain("two tiers");
    expect(problems).toEqual([]);
  });

  it("shows its events and its outputs", async () => {
    const { page } = await world.open({ hash: shop.hash("events") });
    const events = page.getByRole("list", { name: "Events, the newest first" });
    await events.getByText("Create failed").first().waitFor();
    expect(await events.getByRole("listitem").count()).toBe(16);
    await page.getByRole("link", { name: "Outputs" }).click();
    await page.getByText("http://shop.example").waitFor();
    await page.getByText("Where customers go.").waitFor();
  });

  it("shows where the time went", async () => {
    const { page, problems } = await world.open({ hash: shop.hash("timeline") });
    const rows = page.getByRole("list", { name: "Timeline" }).locator("> li");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(8);
    await page.getByRole("list", { name: "Operations of monitor" }).getByText("failed").waitFor();
    expect(problems).toEqual([]);
  });

  it("shows what each resource waits for, until it runs", async () => {
    const chain = { first: testResource({ wait_secs: 4 }), second: testResource({}, "first") };
    const { hash } = await createStack(world.url, "chain", chain);
    const { page } = await world.open({ hash: hash("graph", "second") });
    const panel = page.getByRole("complementary", { name: "Resource second" });
    await panel.getByRole("heading", { name: "Waits for" }).waitFor();
    await panel.getByText("Create in progress").waitFor();
    const why = page.getByRole("region", { name: "Why it is not done" });
    await why.getByRole("link", { name: "first" }).waitFor();
    expect(await why.getByRole("listitem").count()).toBe(1);
    await page.getByRole("link", { name: /^first, .*Create in progress/ }).waitFor();
    await page.getByRole("link", { name: /^second, .*Create complete/ }).waitFor();
    expect(await panel.getByRole("heading", { name: "Waits for" }).count()).toBe(0);
    await why.waitFor({ state: "detached" });
  });

  it("is drawn as a graph that the keyboard moves and whose nodes are links", async () => {
    const { page, problems } = await world.open({ hash: shop.hash("graph") });
    const node = page.getByRole("link", { name: /^database, / });
    await node.waitFor();
    expect(await page.locator("svg .node").count()).toBe(7);
    const before = await node.boundingBox();
    await page.getByRole("button", { name: "Larger" }).focus();
    await page.keyboard.press("ArrowRight");
    expect((await node.boundingBox())?.x).toBeCloseTo((before?.x ?? 0) - 80, 0);
    await node.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Resource database" }).waitFor();
    expect(problems).toEqual([]);
  });

  const views = TABS.flatMap((tab) => LOOKS.map((look) => ({ tab, look })));
  it.each(views)("is without barriers: $tab, $look", async ({ tab, look }) => {
    const { page } = await world.open({ hash: shop.hash(tab), look });
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.getByText("Reading…").waitFor({ state: "detached" });
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `stack-${tab}-${look}`);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  it("leaves room on a phone for a finger that scrolls past the graph", async () => {
    const { page } = await world.open({ hash: shop.hash("graph"), look: "phone" });
    const frame = await page.locator(".graph-frame").boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    expect(frame?.height).toBeGreaterThan(0.4 * height);
    expect(frame?.height).toBeLessThan(0.6 * height);
  });

  it.each(["light", "phone"] satisfies Look[])("shows a chosen resource (%s)", async (look) => {
    const { page } = await world.open({ hash: shop.hash("graph", "app"), look });
    await page.getByText("two tiers").first().waitFor();
    await page.locator("svg .node").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `stack-chosen-${look}`);
  });
});

describe("a large stack", () => {
  const RESOURCES = 1_000;
  const many = Object.fromEntries(
    Array.from({ length: RESOURCES }, (_, at) => [
      `r${at}`,
      { type: "OS::Heat::None", depends_on: at === 0 ? [] : [`r${Math.floor((at - 1) / 3)}`] },
    ]),
  );

  it("exists on the page only as far as it is seen", async () => {
    const { hash } = await createStack(world.url, "large", many);
    await untilStatus(world.url, "large", "CREATE_COMPLETE");
    const { page, problems } = await world.open({ hash: hash("resources") });
    await page.getByRole("link", { name: "r0", exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await page.getByRole("link", { name: "r999", exact: true }).waitFor();
    await page.getByRole("link", { name: "Graph" }).click();
    await page.locator("svg .far").first().waitFor();
    expect(await page.locator("svg *").count()).toBeLessThan(20);
    await screenshot(page, "stack-large-far");
    for (let step = 0; step < 11; step += 1) {
      await page.getByRole("button", { name: "Larger" }).click();
    }
    await page.locator("svg .node").first().waitFor();
    expect(await page.locator("svg .node").count()).toBeLessThan(300);
    await screenshot(page, "stack-large-near");
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByText("older than the newest 500 events is missing").waitFor();
    await screenshot(page, "stack-large-timeline");
    expect(problems).toEqual([]);
  });
});
