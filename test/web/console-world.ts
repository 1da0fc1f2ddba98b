import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { openBrowser } from "./chromium.ts";
import { type ConsolePage, openPage } from "./console-page.ts";

type HostOptions = Omit<Parameters<typeof startHost>[0], "port" | "data">;

export const consoleWorld = (options: HostOptions = {}) => {
  let browser: Browser;
  let host: Host;
  const pages: ConsolePage[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    host = await startHost({ port: 0, data: null, ...options });
  });
  afterAll(async () => {
    await browser.close();
    await host.stop();
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((one) => one.close()));
  });
  return {
    get url() {
      return host.url;
    },
    open: async (given: Parameters<typeof openPage>[2] = {}, url = host.url) => {
      const opened = await openPage(browser, url, given);
      pages.push(opened);
      return opened;
    },
  };
};
