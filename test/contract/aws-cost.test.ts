/**
 * The cost of a traversal on AWS is deterministic, so the tests assert ceilings. The graphs are
 * smaller than those of `npm run bench -- cost`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { costRow } from "../../tools/bench/cost/cost-row.ts";
import { dollarsOf, PARTS } from "../../tools/bench/cost/dollars.ts";
import { arrivals } from "../../tools/bench/cost/fan-in.ts";
import { edgesOf, type GraphName, graphOf } from "../../tools/bench/cost/graphs.ts";
import { writesOf } from "../../tools/bench/cost/latency.ts";
import { type RunOptions, runTraversal } from "../../tools/bench/cost/run.ts";
import { metricDollars } from "../../tools/bench/cost/stage-cost.ts";
import { batchesOf } from "../../tools/bench/cost/stream.ts";
import { delayedSends, virtualClock } from "../../tools/bench/cost/virtual-time.ts";
import { pollForAnHour } from "../../tools/bench/poll/hour.ts";
import { ROOT } from "../architecture/import-rules.ts";
import { limitMs } from "./limits.ts";
import { ownTarget } from "./own-target.ts";

const RUN_MS_MAX = limitMs(60_000);
const RESOURCES = 120;
/** The smaller size is for the test that handles each message ten times. */
const SMALL = 18;

const place = ownTarget();

const run = async (name: GraphName, size = RESOURCES, options: RunOptions = {}) => {
  const graph = graphOf(name, size);
  const done = await runTraversal(place().connection, place().place, graph, options);
  return { ...costRow(graph, done), graph, done };
};

/**
 * Two writes for each row, and one for each edge that is not a chain's last. The rest is for the
 * stack, its graph and its events.
 */
const ceilings: readonly {
  readonly name: GraphName;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly invocations: number;
  readonly sqs: number;
}[] = [
  { name: "independent", writeUnits: 3.3, readUnits: 2.2, invocations: 0.2, sqs: 0.15 },
  { name: "chain", writeUnits: 3.3, readUnits: 3.2, invocations: 0.1, sqs: 0.05 },
  { name: "fan-in", writeUnits: 4.3, readUnits: 2.3, invocations: 0.2, sqs: 0.15 },
  { name: "grid", writeUnits: 4.2, readUnits: 3.3, invocations: 0.2, sqs: 0.15 },
  { name: "servers", writeUnits: 3.7, readUnits: 2.8, invocations: 0.3, sqs: 0.3 },
];

const made = new Map<GraphName, ReturnType<typeof run>>();

const madeOnce = (name: GraphName): ReturnType<typeof run> => {
  const known = made.get(name) ?? run(name);
  made.set(name, known);
  return known;
};

describe("the cost of creating a stack, per resource", () => {
  it.each(ceilings)(
    "of the $name graph stays below its ceilings",
    async ({ name, ...ceiling }) => {
      const row = await madeOnce(name);
      expect(row.writeUnits).toBeLessThanOrEqual(ceiling.writeUnits);
      expect(row.readUnits).toBeLessThanOrEqual(ceiling.readUnits);
      expect(row.invocations).toBeLessThanOrEqual(ceiling.invocations);
      for (const requests of [row.sends, row.receives, row.deletes])
        expect(requests).toBeLessThanOrEqual(ceiling.sqs);
      expect(row.done.usage.refusedWrites).toBe(0);
    },
    RUN_MS_MAX,
  );

  it(
    "grows with the edges of the graph and not faster",
    async () => {
      const { done, graph, resources } = await madeOnce("grid");
      expect(writesOf(done.usage)).toBeLessThanOrEqual(2 * resources + edgesOf(graph) + 20);
    },
    RUN_MS_MAX,
  );
});

describe("the cost of the servers graph, per resource", () => {
  it.each([
    { bytes: 500, writeUnits: 3.7 },
    { bytes: 1_500, writeUnits: 3.7 },
    { bytes: 4_000, writeUnits: 3.7 },
  ])(
    "is at most $writeUnits write units with $bytes bytes of properties",
    async ({ bytes, writeUnits }) => {
      const row = await run("servers", RESOURCES, { properties: { bytes } });
      expect(row.writeUnits).toBeLessThanOrEqual(writeUnits);
    },
    RUN_MS_MAX,
  );

  it(
    "is at most four write units and few invocations more if each is polled once",
    async () => {
      const row = await run("servers", RESOURCES, { waitMs: 3_000 });
      expect(row.writeUnits).toBeLessThanOrEqual(4);
      expect(row.invocations).toBeLessThanOrEqual(0.4);
    },
    RUN_MS_MAX,
  );

  it(
    "counts every service in dollars, and the parts are the whole",
    async () => {
      const { parts, dollars } = await run("servers", SMALL);
      for (const [part, paid] of Object.entries(parts)) expect(paid, part).toBeGreaterThan(0);
      expect(Object.values(parts).reduce((sum, paid) => sum + paid, 0)).toBeCloseTo(dollars, 9);
    },
    RUN_MS_MAX,
  );
});

const figures = readFileSync(join(ROOT, "docs/aws.md"), "utf8");
const LIFE = 12;
const LIVES_A_MONTH = 30_000;
const METRICS_WRITTEN = 40;

const CENT = 0.01;
/** MiniStack counts 3 % more write units for a life than the emulator of `npm test`. */
const EMULATORS_DIFFER = 0.05;

const dollarsIn = (begin: string): number => {
  const line = figures.split("\n").find((one) => one.startsWith(`| ${begin}`)) ?? "";
  return Number(line.split("|")[2]);
};

describe("the cost of a month with 1,000 stacks a day", () => {
  it(
    "is what the page says, by its parts",
    async () => {
      const { done } = await run("servers", LIFE, { deletes: true });
      const life = dollarsOf(done);
      for (const part of PARTS) {
        const month = life[part] * LIVES_A_MONTH;
        const leeway = CENT + month * EMULATORS_DIFFER;
        expect(Math.abs(dollarsIn(part) - month), part).toBeLessThanOrEqual(leeway);
      }
      const parts = PARTS.reduce((sum, part) => sum + dollarsIn(part), 0);
      expect(dollarsIn("metrics")).toBe(metricDollars(METRICS_WRITTEN));
      expect(dollarsIn("all")).toBeCloseTo(parts + dollarsIn("metrics") + dollarsIn("at rest"), 2);
    },
    RUN_MS_MAX,
  );
});

describe("the time of the model", () => {
  it("ends a stream's batch when it is full or its window is over", () => {
    const record = (time: number) => ({ time, events: [] });
    const sizes = (times: readonly number[]) => batchesOf(times.map(record)).map((of) => of.length);
    expect(sizes([0, 999, 1_000, 1_500, 2_000])).toEqual([2, 2, 1]);
    expect(sizes(Array<number>(150).fill(0))).toEqual([100, 50]);
  });

  it("sends a delayed message with those that come due in the same window", async () => {
    const clock = virtualClock();
    const start = clock.now();
    const sent: number[] = [];
    const delayed = delayedSends(
      { send: async () => void sent.push(clock.now() - start), depths: async () => [] },
      clock,
    );
    for (const delayMs of [3_000, 3_900, 4_500]) await delayed.queue.send("poll", [], delayMs);
    expect(sent).toEqual([]);
    expect(await delayed.release(1_000)).toBe(true);
    expect(sent).toEqual([4_000, 4_000]);
    expect(await delayed.release(1_000)).toBe(true);
    expect(await delayed.release(1_000)).toBe(false);
    expect(sent.length).toBe(3);
  });
});

describe("a wide fan-in", () => {
  it(
    "takes at most 2.1 writes an edge, of one unit each, and no reads",
    async () => {
      const cost = await arrivals(place().connection, place().place, 300);
      expect(cost.writes).toBeLessThanOrEqual(2.1 * 300);
      expect(cost.writeUnits).toBe(cost.writes);
      expect(cost.reads).toBe(0);
      expect(cost.fired).toBe(1);
    },
    RUN_MS_MAX,
  );

  it(
    "fires once, even if predecessors arrive again",
    async () => {
      const cost = await arrivals(place().connection, place().place, 150, 3);
      expect(cost.fired).toBe(1);
    },
    RUN_MS_MAX,
  );
});

describe("ten deliveries of every message", () => {
  it(
    "have each effect exactly once",
    async () => {
      const { done, resources } = await run("servers", SMALL, { deliveries: 10 });
      expect(done.effects).toBe(resources);
      expect(done.stack.status).toBe("COMPLETE");
    },
    RUN_MS_MAX,
  );
});

describe("the cost of an idle server's poll", () => {
  it(
    "is half a read unit for ten deployments too, besides looks at rolls and repeated reads",
    async () => {
      const fleet = { servers: 1, deployments: 10, workers: 1, choice: "first free" } as const;
      const { readUnits, reads } = await pollForAnHour(place().connection, place().place, fleet);
      expect(readUnits).toBeLessThanOrEqual(0.7);
      expect(reads).toBeLessThanOrEqual(1.2);
    },
    RUN_MS_MAX,
  );
});
