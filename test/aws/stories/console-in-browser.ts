import { deepEqual } from "node:assert/strict";
import { openBrowser } from "../../web/chromium.ts";
import { type ConsolePage, openPage, screenshot } from "../../web/console-page.ts";
import { changeOf, click } from "../../web/draft-page.ts";
import {
  create,
  ends,
  hot,
  type Lane,
  PROJECT,
  remove,
  type Story,
  testResource,
} from "../lane.ts";

const LOOK_MS_MAX = 60_000;
const NAME = "looked-at";

const TEMPLATE = hot(
  {
    network: testResource({}),
    app: testResource({ value: { get_param: "release" } }, { depends_on: "network" }),
  },
  { parameters: { release: { type: "string", default: "first" } } },
);

/** The first request has no token (401), and a stream of changes exists only on a host (404). */
const REFUSED = /status of 40[14]/;

const look = async ({ page }: ConsolePage, { token, say }: Lane): Promise<void> => {
  page.setDefaultTimeout(LOOK_MS_MAX);
  await page.getByLabel("Project").fill(PROJECT);
  await click(page, "Enter");
  await page.getByLabel("Token").fill(token);
  await click(page, "Enter");
  await page.getByText("Asks every few seconds").waitFor();
  await page.getByRole("row", { name: new RegExp(NAME) }).waitFor();
  await page.getByRole("link", { name: NAME }).click();
  await page.getByRole("link", { name: "Graph", exact: true }).click();
  await page.getByRole("link", { name: /^app, .*Create complete/ }).waitFor();
  await screenshot(page, "cloud-graph");
  say("the graph is there");

  await page.getByRole("link", { name: "Update", exact: true }).click();
  await page.getByLabel("release").fill("second");
  await click(page, "Preview");
  await changeOf(page, "app").waitFor();
  await click(page, "Apply");
  await page.getByRole("heading", { name: NAME }).waitFor();
  await page.locator(".heading").getByText("Update complete").waitFor();
};

export const consoleInBrowser: Story = {
  name: "the console signs in with a token in a browser, shows a stack's graph, and updates it",
  needs: ["bytes", "Chromium"],
  play: async (lane) => {
    const stack = await create(lane, NAME, TEMPLATE);
    await ends(lane, stack, "CREATE_COMPLETE");
    const browser = await openBrowser();
    try {
      const opened = await openPage(browser, lane.url, {
        place: "/console/index.html",
        session: null,
        ignoreHTTPSErrors: true,
      });
      await look(opened, lane);
      const wrong = opened.problems.filter((problem) => !REFUSED.test(problem));
      deepEqual(wrong, []);
    } finally {
      await browser.close();
    }
    await remove(lane, stack);
  },
};
