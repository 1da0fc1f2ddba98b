import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import * as z from "zod";

export const PROJECT = "shop";
const PHONE = { width: 390, height: 844 } as const;
const SCREENSHOTS = join(import.meta.dirname, "../../.data/web-screenshots");

export interface ConsolePage {
  readonly page: Page;
  readonly problems: readonly string[];
  close(): Promise<void>;
}

const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: PHONE, hasTouch: true, isMobile: true },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;
export type Look = keyof typeof LOOKS;

export const openPage = async (
  browser: Browser,
  url: string,
  {
    look = "light",
    session = { project: PROJECT, token: null },
    hash = "",
    place = `/${hash}`,
    watch = () => {},
    ...options
  }: BrowserContextOptions & {
    look?: Look;
    session?: object | null;
    hash?: string;
    place?: string;
    watch?: (page: Page) => void;
  } = {},
): Promise<ConsolePage> => {
  const context = await browser.newContext({ locale: "en-GB", ...LOOKS[look], ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  if (session !== null) {
    const text = JSON.stringify(JSON.stringify(session));
    await page.addInitScript(`sessionStorage.setItem("hearth.session", ${text})`);
  }
  watch(page);
  await page.goto(`${url}${place}`);
  return { page, problems, close: () => context.close() };
};

export const screenshot = async (page: Page, name: string): Promise<void> => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
};

const Findings = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullish(),
      nodes: z.array(z.object({ html: z.string() })),
    }),
  ),
});

export const seriousFindings = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = Findings.parse(await page.evaluate("axe.run()"));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};
