import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { type Look, screenshot, seriousFindings } from "./console-page.ts";
import { consoleWorld } from "./console-world.ts";

const world = consoleWorld({ step: true });

const play = async (title: string, look: Look = "light") => {
  const opened = await world.open({ look, hash: "#/steps" });
  const { page } = opened;
  await page.getByRole("button", { name: `Play ${title}` }).click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator("svg .node").first().waitFor();
  return opened;
};

const messages = (page: Page) =>
  page.getByRole("list", { name: "Messages that wait" }).locator("strong").allTextContents();
const log = (page: Page) => page.getByRole("log").locator("p").first();

const step = async (page: Page): Promise<string> => {
  const before = await page.getByRole("log").locator("p").count();
  const wasEmpty = (await page.getByText("No step yet.").count()) === 1;
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page
    .getByRole("log")
    .locator("p")
    .nth(wasEmpty ? 0 : before)
    .waitFor();
  await page.getByText("No step yet.").waitFor({ state: "detached" });
  return (await log(page).textContent()) ?? "";
};

const stepsToEnd = async (page: Page): Promise<readonly string[]> => {
  const lines: string[] = [];
  while (await page.getByRole("button", { name: "Step", exact: true }).isEnabled()) {
    lines.push(await step(page));
    await page.waitForTimeout(100);
  }
  return lines;
};

const status = (page: Page, text: string) => page.locator(".heading").getByText(text).waitFor();

describe("a host in step mode", () => {
  it("offers the stories from the top of each page", async () => {
    const { page, problems } = await world.open();
    await page.getByRole("link", { name: "Steps" }).click();
    await page.getByRole("heading", { name: "Step by step" }).waitFor();
    await page.getByRole("button", { name: "Play One update" }).waitFor();
    expect(await page.getByRole("button", { name: /^Play / }).count()).toBe(4);
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, "steps-stories");
    expect(problems).toEqual([]);
  });
});

describe("a story", () => {
  it("of one update is told visit by visit", async () => {
    const { page, problems } = await play("One update");
    expect(await messages(page)).toEqual(["2aU"]);
    await page.getByRole("button", { name: /^a, .*waits: 2aU/ }).waitFor();
    expect(await stepsToEnd(page)).toEqual([
      "2aU is handled.",
      "2bU is handled.",
      "2bC is handled.",
      "2aC is handled.",
    ]);
    await status(page, "Update complete");
    expect(await messages(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("of a replacement shows both versions, and both rows", async () => {
    const { page, problems } = await play("A replacement");
    const lines = [await step(page), await step(page)];
    await page.getByRole("log").getByText("2a'U is sent").waitFor();
    expect(lines).toEqual(["2aU is handled.", "2a'U is handled."]);
    await page.getByRole("button", { name: /an old version/ }).waitFor();
    const rows = page.getByRole("region", { name: "Rows" });
    await rows.getByText(/^replaced by a /).waitFor();
    expect(await rows.getByRole("rowheader").count()).toBe(3);
    expect(problems).toEqual([]);
    expect(await stepsToEnd(page)).toEqual([
      "2bU is handled.",
      "2bC is handled.",
      "2aC is handled.",
    ]);
    await page.getByRole("button", { name: /an old version/ }).waitFor({ state: "detached" });
    await status(page, "Update complete");
  });

  it("of an overtaken update goes on with the newer one", async () => {
    const { page } = await play("An overtaken update");
    expect(await step(page)).toBe("2aU is handled.");
    await page.getByRole("button", { name: "Overtake it" }).click();
    await page.getByText(/^Overtake it: the request is accepted/).waitFor();
    await page.getByText("asks the provider, overtaken", { exact: false }).waitFor();
    expect((await messages(page)).toSorted()).toEqual(["2aU", "3aU"]);
    await page.getByRole("button", { name: "To the end" }).click();
    await status(page, "Update complete");
  });

  it("of a crash delivers the message of the dead worker again", async () => {
    const { page } = await play("A crash");
    expect(await messages(page)).toEqual(["1aU"]);
    expect(await step(page)).toBe("The worker of 1aU has died. Its message comes again.");
    await page.getByText("delivered before: 1, in 360 s").waitFor();
    await page.getByRole("region", { name: "Rows" }).getByText("held").waitFor();
    await screenshot(page, "steps-crash");
    expect(await step(page)).toBe("1aU is handled.");
    await stepsToEnd(page);
    await status(page, "Create complete");
  });

  it.each(["light", "dark", "phone"] satisfies Look[])("is without barriers (%s)", async (look) => {
    const { page } = await play("A replacement", look);
    await step(page);
    await step(page);
    await page.getByRole("button", { name: /an old version/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `steps-replacement-${look}`);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
