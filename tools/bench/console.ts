/**
 * `npm run bench -- console [--minutes 60 --every 5]` opens the console of an embedded host in
 * Chromium. It prints the bytes of the first load, the time to the first graph of 500 nodes, and
 * the processor time of a frame at 1,000 nodes. Then it keeps pages open while stacks change, and
 * prints the memory of each page after garbage collection; `--minutes 0` leaves that out. It fails
 * if a page's heap grows by more than its limit after the first look.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { startHost } from "#test/crash/host-process.ts";
import { openBrowser } from "#test/web/chromium.ts";
import { buildWeb } from "../packaging/web.ts";
import { startChanges } from "./console/changes.ts";
import { firstLoads, frameTimes } from "./console/figures.ts";
import { openWatched, type Watched } from "./console/watched-page.ts";

const MS_PER_MINUTE = 60_000;
/** In this time the code is compiled and the page's cache of answers fills. */
const WARM_MS_MAX = 60_000;
const GROWTH_BYTES_MAX = 4_000_000;

const Options = z.object({
  minutes: z.coerce.number().min(0),
  every: z.coerce.number().positive(),
});
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    every: { type: "string", default: "5" },
  },
});
const { minutes, every } = Options.parse(values);

const shown = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;

const look = async (minute: number, pages: readonly Watched[]): Promise<readonly number[]> => {
  const heaps: number[] = [];
  for (const { name, counts } of pages) {
    const { heapBytes, nodes, listeners, streams, requests, processorMs } = await counts();
    heaps.push(heapBytes);
    const kept = `${shown(heapBytes)} heap, ${nodes} nodes, ${listeners} listeners`;
    const asked = `${streams} streams opened, ${requests} requests`;
    const seconds = (processorMs / 1_000).toFixed(1);
    console.log(`${minute.toFixed(0)} min, ${name}: ${kept}, ${asked}, ${seconds} s of processor`);
  }
  return heaps;
};

const keepOpen = async (browser: Browser, url: string): Promise<boolean> => {
  const changes = await startChanges(url);
  const pages = [
    await openWatched(browser, url, { name: "list", hash: "" }),
    await openWatched(browser, url, { name: "graph", hash: changes.graph }),
    await openWatched(browser, url, { name: "graph, polling", hash: changes.graph, polls: true }),
  ];
  await pause(Math.min(WARM_MS_MAX, (minutes * MS_PER_MINUTE) / 2));
  const begun = performance.now();
  const first = await look(0, pages);
  let last = first;
  while (performance.now() - begun < minutes * MS_PER_MINUTE) {
    await pause(every * MS_PER_MINUTE);
    last = await look((performance.now() - begun) / MS_PER_MINUTE, pages);
  }
  console.log(`${await changes.stop()} rounds of changes`);
  const grown = last.map((heap, at) => heap - (first[at] ?? 0));
  const problems = pages.flatMap((page) => page.problems);
  for (const problem of problems) console.log(`problem: ${problem}`);
  return problems.length === 0 && grown.every((bytes) => bytes < GROWTH_BYTES_MAX);
};

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-console-"));
await buildWeb();
const host = startHost(folder, { HEARTH_LOG: "silent" });
const browser = await openBrowser();
try {
  const url = await host.ready();
  for (const line of await firstLoads(browser, url)) console.log(line);
  for (const line of await frameTimes(browser, url)) console.log(line);
  if (minutes > 0 && !(await keepOpen(browser, url))) process.exitCode = 1;
} finally {
  await browser.close();
  await host.stop();
  rmSync(folder, { recursive: true });
}
