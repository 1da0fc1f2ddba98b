import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { send } from "../integration/host/host-client.ts";
import { type Look, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import {
  createStack,
  type MadeStack,
  STACKS,
  testResource,
  untilResource,
  untilStatus,
} from "./hosts.ts";

const world = consoleWorld();

let town: MadeStack;

const scenario = (properties: JsonObject, ...dependsOn: readonly string[]) => ({
  type: "Hearth::Test::Scenario",
  depends_on: [...dependsOn],
  properties,
});

const before = {
  network: scenario({ range: "10.0.0.0/16", zone: "north" }),
  database: scenario({ "size!": "small" }, "network"),
  mailer: testResource({ value: "first" }, "network"),
  reader: scenario({ zone: "north" }, "network"),
  worker: testResource({ value: "first" }, "network"),
  web: scenario({ database: { get_resource: "database" } }),
};
const slow = testResource({ value: "second", wait_secs: 300 }, "network");
const during = { ...before, mailer: slow, worker: slow };
const { mailer: _, ...kept } = during;
const after = {
  ...kept,
  network: scenario({ range: "10.1.0.0/16", zone: "north" }),
  database: scenario({ "size!": "large" }, "network"),
  worker: testResource({ value: "third" }, "network"),
  cache: scenario({ entries: "1000" }, "network"),
};

const templateOf = (resources: JsonObject) => ({ heat_template_version: "2018-08-31", resources });

beforeAll(async () => {
  town = await createStack(world.url, "town", before);
  await untilStatus(world.url, "town", "CREATE_COMPLETE");
  const template = templateOf(during);
  await send(world.url, "PUT", `${STACKS}/town/${town.id}`, { template });
  for (const name of ["mailer", "worker"]) {
    await untilResource(world.url, `town/${town.id}`, name, "UPDATE_IN_PROGRESS");
  }
});

const openPreview = async (
  look: Look,
  stack = { name: "town", id: town.id },
  target: JsonObject = after,
) => {
  const hash = `#/update/${stack.name}/${stack.id}`;
  const opened = await world.open({ look, hash });
  const { page } = opened;
  const editor = page.getByRole("textbox", { name: "Template" });
  await editor.getByText("heat_template_version").first().waitFor();
  await editor.fill(JSON.stringify(templateOf(target)));
  await page.getByRole("button", { name: "Preview" }).click();
  const region = page.getByRole("region", { name: "Preview" });
  await region.locator("svg").waitFor();
  // Filling a multi-line editor makes the browser set inline styles, which the content policy
  // refuses.
  const { length } = opened.problems;
  return { ...opened, region, laterProblems: () => opened.problems.slice(length) };
};

const itemOf = (page: Page, name: string) =>
  page.locator(".changes > li").filter({ has: page.getByText(name, { exact: true }) });

/**
 * The deployment stays in the stack above that of its server, so its removal would come too late.
 */
const drained = (count: number, member: string): JsonObject => ({
  servers: {
    type: "OS::Heat::ResourceGroup",
    properties: { count, resource_def: { type: "OS::Heat::DeployedServer" } },
  },
  config: {
    type: "OS::Heat::SoftwareConfig",
    properties: { group: "script", config: "#!/bin/sh" },
  },
  drain: {
    type: "OS::Heat::SoftwareDeployment",
    properties: {
      config: { get_resource: "config" },
      server: { get_attr: ["servers", member] },
      actions: ["DELETE"],
    },
  },
});

describe("the preview of an update", () => {
  it("warns of a DELETE script that would not run", async () => {
    const { id } = await createStack(world.url, "site", drained(2, "resource.1"));
    await untilStatus(world.url, "site", "CREATE_COMPLETE");
    const target = drained(1, "resource.0");
    const { page, region } = await openPreview("light", { name: "site", id }, target);
    const said = await region.getByRole("alert").textContent();
    expect(said).toMatch(/^Warning: The DELETE script of drain in site would not run, because/);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("is a graph whose nodes say what becomes of them", async () => {
    const { region, laterProblems, page } = await openPreview("light");
    const words = await region.locator("svg .node title").allTextContents();
    const said = new Map(words.map((text) => [text.split(",")[0], text.split(", ").slice(2)]));
    expect(said.get("cache")).toEqual(["added"]);
    expect(said.get("network")).toEqual(["changed"]);
    expect(said.get("database")).toEqual(["replaced"]);
    expect(said.get("mailer")?.slice(0, 2)).toEqual(["removed", "ends its UPDATE"]);
    expect(said.get("web")).toEqual(["changed"]);
    expect(said.get("reader")).toEqual(["checked and unchanged"]);
    expect(said.get("worker")?.[1]).toBe("waits for its UPDATE");
    const legend = await region.getByRole("list", { name: "Legend" }).textContent();
    expect(legend).toContain("± 1 replaced");
    expect(legend).toContain("\u2212 1 removed");
    expect(legend).toContain("\u21af 1 interrupted");
    expect(legend).toContain("\u25f7 1 first awaited");
    await region.getByRole("button", { name: /^database, / }).focus();
    await page.keyboard.press("Enter");
    await itemOf(page, "database").and(page.locator("[aria-current]")).waitFor();
    expect(laterProblems()).toEqual([]);
  });

  it("says beside it which properties change, and why", async () => {
    const { page } = await openPreview("light");
    const network = itemOf(page, "network");
    expect(await network.locator(".before").textContent()).toContain("10.0.0.0/16");
    expect(await network.locator(".after").textContent()).toContain("10.1.0.0/16");
    await itemOf(page, "database").getByText("size! cannot change in place").waitFor();
    await itemOf(page, "worker").getByText("UPDATE, which goes on").waitFor();
    await itemOf(page, "web").getByText("known after the update").waitFor();
    expect(await itemOf(page, "reader").count()).toBe(0);
    await page.getByText("1 unchanged").click();
    await itemOf(page, "reader").getByText("checked and unchanged").waitFor();
  });

  it.each(["light", "dark", "phone"] satisfies Look[])("is without barriers (%s)", async (look) => {
    const { page, region } = await openPreview(look);
    await region.locator("svg .node").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `update-foreseen-${look}`);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
