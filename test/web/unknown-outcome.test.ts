import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshFolder, removeFolder } from "../contract/folders.ts";
import { killInCreation } from "../integration/host/kill-in-creation.ts";
import { type ServeProcess, startServe } from "../integration/host/serve-process.ts";
import { openBrowser } from "./chromium.ts";
import { openPage, screenshot, seriousFindings } from "./console-page.ts";

const PROJECT = "demo";
const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: { lost: { type: "Hearth::Test::Tokenless" } },
};

let browser: Browser;
let folder: string;
let host: ServeProcess | null = null;

beforeAll(async () => {
  browser = await openBrowser();
  folder = freshFolder();
});
afterAll(async () => {
  await browser.close();
  await host?.stop("SIGKILL");
  removeFolder(folder);
});

describe("a creation with an unknown outcome", () => {
  it("is a question, and its answer is the record of it", async () => {
    const data = join(folder, "data");
    const body = { stack_name: "app", template: TEMPLATE };
    await killInCreation(data, "before the answer is stored", body);
    host = await startServe("--data", data);
    const session = { project: PROJECT, token: null };
    const { page, problems, close } = await openPage(browser, host.url, { session });
    await page.getByRole("link", { name: "app" }).click();
    await page.locator(".heading").getByText("Create failed").waitFor();
    await page.getByRole("row").getByRole("link", { name: "lost" }).click();
    const question = page.getByRole("region", { name: "Unknown outcome" });
    await question.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, "unknown-outcome");
    await question.getByRole("button", { name: "Nothing was made" }).click();
    await question.waitFor({ state: "detached" });
    const panel = page.getByRole("complementary", { name: "Resource lost" });
    await panel.getByText("Outcome resolved by a user: nothing was made").waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});
