import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { openPage } from "#test/web/console-page.ts";
import { createStack, untilStatus } from "#test/web/hosts.ts";
import { CATEGORIES, frameMsOf } from "./frames.ts";

const LOADS = 5;
const FIRST_GRAPH_NODES = 500;
const MANY_NODES = 1_000;
const ZOOMS = 18;
const DRAGS = 120;
const DRAG_PX = 3;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const treeStack = async (url: string, size: number) => {
  const tree = Object.fromEntries(
    Array.from({ length: size }, (_, at) => [
      `r${at}`,
      { type: "OS::Heat::None", depends_on: at === 0 ? [] : [`r${Math.floor((at - 1) / 3)}`] },
    ]),
  );
  const stack = await createStack(url, `tree-${size}`, tree);
  await untilStatus(url, `tree-${size}`, "CREATE_COMPLETE");
  return stack;
};

const Transfers = z.array(z.object({ name: z.url(), transferSize: z.number() }));

const isFile = (path: string): boolean => path === "/" || path.startsWith("/console/");

/** The bytes on the wire including headers, and including the scripts of workers. */
const fileBytes = async (page: Page): Promise<number> => {
  const entries = await page.evaluate(
    "performance.getEntries().filter((one) => 'transferSize' in one).map((one) => one.toJSON())",
  );
  return Transfers.parse(entries)
    .filter(({ name }) => isFile(new URL(name).pathname))
    .reduce((sum, { transferSize }) => sum + transferSize, 0);
};

const drawn = (page: Page) => page.locator("svg .far, svg .node").first();

interface FirstLoad {
  readonly first: number;
  readonly withGraph: number;
  readonly graphMs: number;
}

/** Each page is loaded with an empty cache. Times begin with the navigation. */
const firstLoad = async (browser: Browser, url: string, hash: string): Promise<FirstLoad> => {
  const list = await openPage(browser, url);
  await list.page.getByRole("heading", { name: "Stacks" }).waitFor();
  const first = await fileBytes(list.page);
  await list.close();
  const begun = performance.now();
  const graph = await openPage(browser, url, { hash });
  await drawn(graph.page).waitFor();
  const graphMs = performance.now() - begun;
  const withGraph = await fileBytes(graph.page);
  await graph.close();
  return { first, withGraph, graphMs };
};

export const firstLoads = async (browser: Browser, url: string): Promise<readonly string[]> => {
  const { hash } = await treeStack(url, FIRST_GRAPH_NODES);
  const loads: FirstLoad[] = [];
  for (let at = 0; at < LOADS; at += 1) loads.push(await firstLoad(browser, url, hash("graph")));
  const kilobytes = (of: (load: FirstLoad) => number): string =>
    `${(median(loads.map(of)) / 1e3).toFixed(1)} KB`;
  return [
    `first load: ${kilobytes(({ first }) => first)}, and with a graph ${kilobytes(({ withGraph }) => withGraph)}`,
    `first graph of ${FIRST_GRAPH_NODES} nodes: ${median(loads.map(({ graphMs }) => graphMs)).toFixed(0)} ms`,
  ];
};

const drag = async (page: Page): Promise<void> => {
  const box = await page.locator(".graph-frame").boundingBox();
  if (box === null) throw new Error("the graph is not on the screen");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let at = 1; at <= DRAGS; at += 1) {
    const away = Math.abs(((at + DRAGS / 4) % DRAGS) - DRAGS / 2) - DRAGS / 4;
    await page.mouse.move(x + away * DRAG_PX, y + away);
  }
  await page.mouse.up();
};

const dragged = async (browser: Browser, page: Page, name: string): Promise<string> => {
  await browser.startTracing(page, { categories: CATEGORIES });
  await drag(page);
  const frames = frameMsOf((await browser.stopTracing()).toString());
  const elements = await page.locator("svg *").count();
  const most = Math.max(...frames).toFixed(1);
  return `${name}, ${elements} elements: ${median(frames).toFixed(1)} ms a frame, at most ${most}, ${frames.length} frames`;
};

export const frameTimes = async (browser: Browser, url: string): Promise<readonly string[]> => {
  const { hash } = await treeStack(url, MANY_NODES);
  const { page, close } = await openPage(browser, url, { hash: hash("graph") });
  await drawn(page).waitFor();
  const far = await dragged(browser, page, `${MANY_NODES} nodes, all in sight`);
  for (let step = 0; step < ZOOMS; step += 1) {
    await page.getByRole("button", { name: "Larger" }).click();
  }
  await page.locator("svg .node").first().waitFor();
  const near = await dragged(browser, page, `${MANY_NODES} nodes, near`);
  await close();
  return [far, near];
};
