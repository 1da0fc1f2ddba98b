import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildPlayground, PLAYGROUND } from "../../tools/packaging/playground.ts";
import { freePort } from "../lanes/free-port.ts";
import { openBrowser } from "./chromium.ts";
import {
  type ConsolePage,
  type Look,
  openPage,
  screenshot,
  seriousFindings,
} from "./console-page.ts";

const SITE = join(import.meta.dirname, "../../docs/.vitepress/dist");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
/** The size with gzip, as file servers send it. */
const GZIP_BYTES_MAX = 650_000;

let browser: Browser;
let site: { readonly server: Server; readonly url: string };
const pages: ConsolePage[] = [];

const serveSite = async (): Promise<typeof site> => {
  if (!existsSync(join(SITE, "playground/index.html")))
    throw new Error("The site is not built: npm run docs -- site");
  const port = await freePort();
  const server = createServer(({ url = "/" }, response) => {
    const file = join(SITE, new URL(url, "http://site").pathname);
    if (!existsSync(file) || extname(file) === "") response.writeHead(404).end();
    else {
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain" });
      response.end(readFileSync(file));
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${port}` };
};

beforeAll(async () => {
  browser = await openBrowser();
  site = await serveSite();
});
afterAll(async () => {
  await browser.close();
  site.server.close();
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((one) => one.close()));
});

const AS_FILE = pathToFileURL(join(PLAYGROUND, "index.html")).href;

const open = async (address: string, look: Look = "light"): Promise<ConsolePage> => {
  const opened = await openPage(browser, address, { look, session: null, place: "" });
  pages.push(opened);
  return opened;
};

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const log = (page: Page) => page.getByRole("log").locator("p").first();
const status = (page: Page, text: string) => page.locator(".heading").getByText(text).waitFor();

const play = async (page: Page, title: string): Promise<void> => {
  await page.getByRole("button", { name: `Play ${title}` }).click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator("svg .node").first().waitFor();
};

const press = async (page: Page, name: string, line: RegExp | string): Promise<void> => {
  await click(page, name);
  await log(page).getByText(line).waitFor();
};

const overtakeCrashAndRepeat = async (page: Page): Promise<void> => {
  await play(page, "An overtaken update");
  await press(page, "Step", "2aU is handled.");
  await press(page, "Overtake it", /^Overtake it: the request is accepted/);
  await press(page, "Crash", /^The worker of .* has died\. Its message comes again\.$/);
  await press(page, "Deliver twice", /is handled, and its message comes once more\.$/);
  await press(page, "To the end", /visits are handled\.$/);
  await status(page, "Update complete");
  await page.getByText("None. The stack is at rest.").waitFor();
};

describe("the playground", () => {
  it("needs no server: a file is overtaken, crashed and repeated, and converges", async () => {
    const { page, problems } = await open(AS_FILE);
    await page.getByRole("heading", { name: "Step by step" }).waitFor();
    await screenshot(page, "playground-stories");
    await overtakeCrashAndRepeat(page);
    await screenshot(page, "playground-end");
    expect(problems).toEqual([]);
  });

  it("works from the built site, and asks the network for nothing", async () => {
    const { page, problems } = await open(`${site.url}/playground/index.html`);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await overtakeCrashAndRepeat(page);
    // The browser requests the icon again at any time.
    expect(asked.filter((url) => url !== `${site.url}/playground/icon.svg`)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("crashes a create, and lets the provider fail", async () => {
    const { page, problems } = await open(AS_FILE);
    await play(page, "A crash");
    await press(page, "Step", "The worker of 1aU has died. Its message comes again.");
    await press(page, "Step", "1aU is handled.");
    await page.getByLabel("Action").selectOption("CREATE");
    await page.getByLabel("Resource", { exact: true }).selectOption("b");
    await page.getByLabel("Effect").selectOption("error");
    await press(page, "Add the fault", "The next CREATE of b fails.");
    await press(page, "Step", "1bU is handled.");
    await page.getByRole("region", { name: "Rows" }).getByText("Create failed").waitFor();
    await status(page, "Create failed");
    await page.getByRole("link", { name: "a-crash-1" }).click();
    await page.getByText("The provider refuses.", { exact: false }).first().waitFor();
    expect(problems).toEqual([]);
  });

  // Chromium's own editing sets inline styles, which the content policy refuses.
  it("takes a template of the user, and begins it step by step", async () => {
    const { page } = await open(AS_FILE);
    await page.getByRole("link", { name: "Create", exact: true }).click();
    await page.getByLabel("Name of the stack").fill("own");
    const editor = page.getByRole("textbox", { name: "Template" });
    await editor.fill(
      "heat_template_version: 2018-08-31\nresources:\n  a:\n    type: OS::Heat::TestResource\n",
    );
    await click(page, "Preview");
    await click(page, "Create");
    await page.getByRole("link", { name: "Steps" }).click();
    await page.getByRole("link", { name: "own" }).click();
    await press(page, "Step", "1aU is handled.");
    await status(page, "Create complete");
  });

  it.each(["light", "dark", "phone"] satisfies Look[])("is without barriers (%s)", async (look) => {
    const { page } = await open(AS_FILE, look);
    await play(page, "A replacement");
    await press(page, "Step", "2aU is handled.");
    await press(page, "Crash", /has died/);
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, `playground-crash-${look}`);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});

describe("a generated page of the site", () => {
  it("does not show the comment that says who makes it", () => {
    const html = readFileSync(join(SITE, "reference/limits.html"), "utf8");
    expect(html).toContain("RESOURCES_PER_ROOT_MAX");
    expect(html).not.toContain("&lt;!--");
    expect(html).not.toContain("Change those, and not this page");
  });
});

describe("the script of the playground", () => {
  const script = readFileSync(join(PLAYGROUND, "playground.js"));

  it("has a size that a page may have", () => {
    const bytes = gzipSync(script, { level: 9 }).length;
    console.log(`playground.js: ${script.length} bytes, ${bytes} compressed with gzip`);
    expect(bytes).toBeLessThan(GZIP_BYTES_MAX);
  });

  it("is the one of the built site", () => {
    expect(readFileSync(join(SITE, "playground/playground.js")).equals(script)).toBe(true);
  });

  it("has no module of Node, no handler of Lambda and no adapter of a platform", async () => {
    const { modules } = await buildPlayground();
    expect(modules).toContain("lib/convergence/converger.ts");
    const foreign =
      /^(functions|host|cli|infra|agent)\/|^lib\/adapters\/(node|sqlite|aws)\/|^node:/;
    expect(modules.filter((module) => foreign.test(module))).toEqual([]);
    expect(script.toString()).not.toMatch(/["'`]node:|\brequire\(/);
  });
});
