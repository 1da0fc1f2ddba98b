import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createToken } from "#host/credentials.ts";
import { startHost } from "#host/host.ts";
import type { JsonObject } from "#lib/json.ts";
import { wholeProgram } from "../../apps/cli/program.ts";
import { send } from "../integration/host/host-client.ts";
import { type Look, PROJECT, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";
import { createStack, STACKS, testResource, untilStatus } from "./hosts.ts";

const world = consoleWorld();

const open = (url: string, options: Parameters<typeof world.open>[0] = {}) =>
  world.open(options, url);

const create = (url: string, name: string, properties: JsonObject, extra: JsonObject = {}) =>
  createStack(url, name, { thing: testResource(properties) }, extra);

const stackRow = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

describe("signing in", () => {
  it("offers the project that the command line takes", async () => {
    const { page } = await open(world.url, { session: null });
    const option = (await wholeProgram()).options.find(({ long }) => long === "--project");
    expect(await page.getByLabel("Project").inputValue()).toBe(option?.defaultValue);
  });

  it("asks for no token where the API asks for none", async () => {
    const { page, problems } = await open(world.url, { session: null });
    await page.getByLabel("Project").fill("nobody");
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByRole("heading", { name: "Stacks" }).waitFor();
    await page.getByText("This project has no stacks yet.").waitFor();
    expect(problems).toEqual([]);
  });

  it("asks for a token where the API does, and forgets it with the tab", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-web-"));
    const { token } = createToken(folder, PROJECT, null);
    const closed = await startHost({ port: 0, data: folder, auth: "tokens" });
    try {
      const { page } = await open(closed.url, { session: null });
      await page.getByLabel("Project").fill(PROJECT);
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByLabel("Token").fill("wrong");
      await screenshot(page, "sign-in");
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByRole("alert").getByText("mistyped, revoked or expired").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByRole("heading", { name: "Stacks" }).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Stacks" }).waitFor();
      expect(await page.evaluate("localStorage.length")).toBe(0);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Project").waitFor();
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
    } finally {
      await closed.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the list of stacks", () => {
  beforeAll(async () => {
    await create(world.url, "web-frontend", {}, { tags: "prod,web" });
    await create(world.url, "billing", { fail: true }, { tags: "prod", disable_rollback: true });
  });

  it("shows a stack that is created while one looks, and its end", async () => {
    const { page, problems } = await open(world.url);
    await stackRow(page, "web-frontend").getByText("Create complete").waitFor();
    await create(world.url, "slow", { wait_secs: 1 });
    await stackRow(page, "slow").getByText("Create in progress").waitFor();
    await stackRow(page, "slow").getByText("Create complete").waitFor();
    await send(world.url, "DELETE", `${STACKS}/slow`);
    await stackRow(page, "slow").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("is searched by name and tag, and filtered by status", async () => {
    const { page } = await open(world.url);
    await page.getByLabel("Search").fill("front");
    await page.getByText("1 of 2").waitFor();
    await page.getByLabel("Search").fill("");
    await page.getByLabel("Tag").selectOption("web");
    await page.getByText("1 of 2").waitFor();
    await page.getByLabel("Tag").selectOption("");
    await page.getByLabel("Status").selectOption("bad");
    await stackRow(page, "billing").getByText("Create failed").waitFor();
    expect(await stackRow(page, "web-frontend").count()).toBe(0);
  });

  it.each(["light", "dark", "phone"] satisfies Look[])("is without barriers (%s)", async (look) => {
    const { page } = await open(world.url, { look });
    await stackRow(page, "billing").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `stacks-${look}`);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  it("of thousands has only the rows on the page that are seen, and finds each", async () => {
    const PAGE_STACKS = 1_000;
    const PAGES = 5;
    const { page, problems } = await open(world.url, { session: null });
    await page.route("**/stacks?limit=*", (route) => {
      const marker = new URL(route.request().url()).searchParams.get("marker");
      const first = marker === null ? 0 : Number(marker) + 1;
      const count = first < PAGE_STACKS * PAGES ? PAGE_STACKS : 0;
      const stacks = Array.from({ length: count }, (_, at) => ({
        id: String(first + at),
        stack_name: `stack-${first + at}`,
        stack_status: "CREATE_COMPLETE",
      }));
      return route.fulfill({ json: { stacks } });
    });
    await page.getByLabel("Project").fill(PROJECT);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByRole("status").getByText("5000", { exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await stackRow(page, "stack-4999").waitFor();
    await page.getByLabel("Search").fill("stack-2500");
    await page.getByText("1 of 5000").waitFor();
    await stackRow(page, "stack-2500").waitFor();
    expect(problems).toEqual([]);
  });

  it("asks again for what has changed where there is no stream, and not in the background", async () => {
    const { page } = await open(world.url, { session: null });
    await page.route("**/_changes", (route) => route.fulfill({ status: 404, body: "" }));
    const statuses: number[] = [];
    page.on("response", (answer) => {
      if (answer.url().includes("/stacks?")) statuses.push(answer.status());
    });
    await page.getByLabel("Project").fill(PROJECT);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByText("Asks every few seconds").waitFor();
    await stackRow(page, "billing").waitFor();
    await expect.poll(() => statuses.at(-1), { timeout: 20_000 }).toBe(304);
    await create(world.url, "polled", {});
    await stackRow(page, "polled").waitFor();
    expect(new Set(statuses)).toEqual(new Set([200, 304]));
    await page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    await page.getByText("Paused", { exact: true }).waitFor();
    const before = statuses.length;
    await page.waitForTimeout(6_000);
    expect(statuses.length).toBe(before);
  });

  it("asks nothing while the page is in the background", async () => {
    const { page } = await open(world.url);
    await page.getByText("Live", { exact: true }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    await page.getByText("Paused", { exact: true }).waitFor();
    await create(world.url, "unseen", {});
    await untilStatus(world.url, "unseen", "CREATE_COMPLETE");
    expect(asked).toEqual([]);
    await page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    await stackRow(page, "unseen").getByText("Create complete").waitFor();
  });
});
