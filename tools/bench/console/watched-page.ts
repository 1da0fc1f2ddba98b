import type { Browser, CDPSession } from "playwright-core";
import { openPage } from "#test/web/console-page.ts";

const MS_PER_SECOND = 1_000;

export interface Counts {
  /** After two forced garbage collections. */
  readonly heapBytes: number;
  /** Includes detached nodes that a script still references. */
  readonly nodes: number;
  readonly listeners: number;
  readonly streams: number;
  readonly requests: number;
  readonly processorMs: number;
}

export interface Watched {
  readonly name: string;
  readonly problems: readonly string[];
  counts(): Promise<Counts>;
}

export interface Look {
  readonly name: string;
  readonly hash: string;
  /** As on AWS, there is no stream and the page polls. */
  readonly polls?: boolean;
}

export const metricsOf = async (session: CDPSession): Promise<ReadonlyMap<string, number>> => {
  const { metrics } = await session.send("Performance.getMetrics");
  return new Map(metrics.map(({ name, value }) => [name, value]));
};

export const openWatched = async (
  browser: Browser,
  url: string,
  { name, hash, polls = false }: Look,
): Promise<Watched> => {
  let [streams, requests] = [0, 0];
  const { page, problems } = await openPage(browser, url, {
    hash,
    watch: (watched) => {
      watched.on("request", (request) => {
        requests += 1;
        if (request.url().endsWith("/_changes")) streams += 1;
      });
    },
  });
  if (polls) {
    await page.route("**/_changes", (route) => route.fulfill({ status: 204, body: "" }));
    await page.reload();
  }
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return {
    name,
    problems,
    counts: async () => {
      // The second collection frees what finalizers of the first one have released.
      await session.send("HeapProfiler.collectGarbage");
      await session.send("HeapProfiler.collectGarbage");
      const metrics = await metricsOf(session);
      const value = (metric: string): number => metrics.get(metric) ?? Number.NaN;
      return {
        heapBytes: value("JSHeapUsedSize"),
        nodes: value("Nodes"),
        listeners: value("JSEventListeners"),
        processorMs: value("TaskDuration") * MS_PER_SECOND,
        streams,
        requests,
      };
    },
  };
};
