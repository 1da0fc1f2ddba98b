import middy from "@middy/core";
import type { Context, SQSEvent } from "aws-lambda";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { meteredStore, openMeter, publishMetrics } from "#functions/aws/metrics.ts";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { nameInvocations } from "#functions/logger.ts";
import type { Meter, MetricName } from "#functions/meter.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import { lambdaContext, sqsEvent } from "#host/lambda-events.ts";
import { PREPARE_REMAINING_MS_MIN } from "#lib/convergence/limits.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Message } from "#lib/ports/queue.ts";
import { aCheck } from "../../contract/records.ts";
import { createStack, openWorld, type World } from "../api/api-world.ts";
import { linesOf } from "./output.ts";

const CHAIN = {
  template: {
    heat_template_version: "2016-10-14",
    resources: {
      first: { type: "OS::Heat::Value", properties: { value: "planted-secret" } },
      second: { type: "OS::Heat::Value", properties: { value: { get_attr: ["first", "value"] } } },
    },
  },
};

let world: World;
beforeEach(async () => {
  world = openWorld();
  await createStack(world, "app", CHAIN);
  await world.step();
});

const take = (): Message => {
  const [next] = world.queue.pending.splice(0, 1);
  if (!next) throw new Error("nothing was sent");
  return next.message;
};

const eventOf = (...bodies: readonly string[]): SQSEvent =>
  sqsEvent(
    "check",
    bodies.map((body, index) => ({
      messageId: `m${index}`,
      receiptHandle: `r${index}`,
      tenant: "demo",
      body,
      receiveCount: 1,
      sentAt: 0,
      sourceQueue: null,
    })),
  );

const withTimeLeft = (remainingMs: number): Context => ({
  ...lambdaContext("check-resource", 60_000),
  getRemainingTimeInMillis: () => remainingMs,
});

const visit = (message: Message, ports: Ports = world.ports, remainingMs = 60_000) => {
  const handler = middy(checkHandler(ports)).use(nameInvocations());
  return handler(eventOf(JSON.stringify(message)), withTimeLeft(remainingMs));
};

describe("the log of a visit", () => {
  it("names the stack, the traversal, the resource and the outcome, and nothing of the content", async () => {
    const message = take();
    const lines = await linesOf(() => visit(message));
    expect(lines).toEqual([
      expect.objectContaining({ ...message, message: "handled a message", outcome: "propagated" }),
    ]);
    expect(lines[0]).toHaveProperty("function_request_id");
    expect(JSON.stringify(lines)).not.toContain("planted-secret");
  });

  it("does not tell what a provider has answered", async () => {
    const kept = { token: "t", handle: "planted-handle", physicalResourceId: "planted-id" };
    const lines = await linesOf(() => visit({ ...aCheck("row"), kept }));
    expect(lines).toEqual([expect.objectContaining({ ...aCheck("row"), outcome: "stale" })]);
    expect(JSON.stringify(lines)).not.toContain("planted");
  });

  it("names them also when the visit is retried or fails", async () => {
    const message = take();
    const failing = (error: Error): Ports => ({
      ...world.ports,
      store: { ...world.store, getStack: () => Promise.reject(error) },
    });
    const busy = await linesOf(() => visit(message, failing(new RetryLater("throttled"))));
    const wrong = await linesOf(() => visit(message, failing(new TypeError("planted"))));
    expect(busy).toEqual([
      expect.objectContaining({ ...message, level: "INFO", outcome: "retried" }),
    ]);
    expect(wrong).toEqual([
      expect.objectContaining({
        ...message,
        level: "ERROR",
        outcome: "error",
        failure: "TypeError: planted",
      }),
    ]);
  });

  it("names only the message if it cannot be parsed", async () => {
    const handler = checkHandler(world.ports);
    const lines = await linesOf(() => handler(eventOf('{"planted'), withTimeLeft(60_000)));
    expect(lines).toEqual([expect.objectContaining({ messageId: "m0", outcome: "error" })]);
    expect(JSON.stringify(lines)).not.toContain("planted");
  });
});

describe("a visit's invocation", () => {
  it("visits the next resource inline while there is time", async () => {
    await visit(take(), world.ports, 60_000);
    expect(world.queue.pending).toEqual([]);
  });

  it("leaves the next resource to the queue when its time runs out", async () => {
    const first = take();
    await visit(first, world.ports, 15_000);
    const next = take();
    expect(next).toMatchObject({ type: "check_resource", isUpdate: true });
    expect(next).not.toEqual(first);
  });
});

describe("a prepare's invocation", () => {
  const LEAVES = 30;
  const template = {
    heat_template_version: "2016-10-14",
    resources: Object.fromEntries(
      Array.from({ length: LEAVES }, (_, at) => [
        `leaf_${at}`,
        { type: "OS::Heat::Value", properties: { value: "1" } },
      ]),
    ),
  };

  const prepare = async (message: Message, remainingMs: number): Promise<readonly Message[]> => {
    const handler = middy(prepareHandler(world.ports)).use(nameInvocations());
    const answer = await handler(eventOf(JSON.stringify(message)), withTimeLeft(remainingMs));
    expect(answer).toEqual({ batchItemFailures: [] });
    return world.queue.pending.splice(0).map((sent) => sent.message);
  };

  beforeEach(async () => {
    world.queue.pending.splice(0);
    await createStack(world, "wide", { template });
  });

  it("sends all leaves while there is time", async () => {
    const sent = await prepare(take(), PREPARE_REMAINING_MS_MIN);
    expect(sent.map(({ type }) => type)).toEqual(Array(LEAVES).fill("check_resource"));
  });

  it("goes on in further messages when its time runs out", async () => {
    const first = take();
    const visits: Message[] = [];
    const rounds: Message[] = [];
    for (let next: Message | undefined = first; next !== undefined; ) {
      const sent = await prepare(next, PREPARE_REMAINING_MS_MIN - 1);
      visits.push(...sent.filter(({ type }) => type === "check_resource"));
      next = sent.find(({ type }) => type === "prepare_traversal");
      if (next !== undefined) rounds.push(next);
    }
    expect(rounds).toEqual([
      { ...first, firstLeaf: 10 },
      { ...first, firstLeaf: 20 },
    ]);
    const visited = new Set(visits.map((message) => JSON.stringify(message)));
    expect([visits.length, visited.size]).toEqual([LEAVES, LEAVES]);
  });
});

describe("the meter", () => {
  const counted: (readonly [MetricName, number, string | undefined])[] = [];
  const meter: Meter = {
    add: (metric, value, outcome) => {
      counted.push([metric, value, outcome]);
    },
  };
  beforeEach(() => {
    counted.length = 0;
  });

  it("counts every message by its outcome, and stale ones once more", async () => {
    const message = take();
    const check = checkHandler(world.ports, meter);
    const stale = { ...message, traversalId: "of former times" };
    await check(
      eventOf(JSON.stringify(message), JSON.stringify(stale), "{}"),
      withTimeLeft(60_000),
    );
    expect(counted.toSorted()).toEqual([
      ["NodesVisited", 1, "propagated"],
      ["NodesVisited", 1, "propagated"],
      ["NodesVisited", 1, "stale"],
      ["StaleMessages", 1, undefined],
      ["Visits", 1, "error"],
      ["Visits", 1, "propagated"],
      ["Visits", 1, "stale"],
    ]);
    const prepare = prepareHandler(world.ports, meter);
    await prepare(
      eventOf(JSON.stringify({ ...stale, type: "prepare_traversal" })),
      withTimeLeft(1),
    );
    expect(counted.slice(7)).toEqual([
      ["Preparations", 1, "stale"],
      ["StaleMessages", 1, undefined],
    ]);
  });

  it("counts every arrival at a SyncPoint, and every repeated one", async () => {
    const ports = { ...world.ports, store: meteredStore(world.store, meter) };
    const message = take();
    await visit(message, ports, 15_000);
    const arrivals = (): number => counted.filter(([name]) => name === "SyncPointArrivals").length;
    const conflicts = (): number =>
      counted.filter(([name]) => name === "SyncPointConflicts").length;
    const before = arrivals();
    expect([before > 0, conflicts()]).toEqual([true, 0]);
    await visit(message, ports, 15_000);
    expect([arrivals(), conflicts()]).toEqual([2 * before, before]);
  });
});

interface EmbeddedMetrics {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
}

describe("the metrics", () => {
  it("are written as log lines, one an outcome, with only the stage and the outcome as dimensions", async () => {
    const meter = openMeter("prod");
    const lines = await linesOf(async () => {
      meter.add("Visits", 1, "propagated");
      meter.add("Visits", 2, "propagated");
      meter.add("StaleMessages", 1);
      meter.add("TraversalSeconds", 3, "COMPLETE");
      meter.add("TraversalSeconds", 5, "COMPLETE");
      meter.publish();
      meter.publish();
    });
    const shape = (
      names: readonly (readonly [string, string])[],
      ...Dimensions: readonly (readonly string[])[]
    ): EmbeddedMetrics["_aws"]["CloudWatchMetrics"] => [
      { Namespace: "Hearth", Dimensions, Metrics: names.map(([Name, Unit]) => ({ Name, Unit })) },
    ];
    const all = ["service", "stage"];
    const each = [...all, "outcome"];
    const time = expect.any(Number);
    const common = { service: "hearth", stage: "prod" };
    expect(lines).toEqual([
      {
        ...common,
        _aws: { Timestamp: time, CloudWatchMetrics: shape([["Visits", "Count"]], each, all) },
        outcome: "propagated",
        Visits: 3,
      },
      {
        ...common,
        _aws: { Timestamp: time, CloudWatchMetrics: shape([["StaleMessages", "Count"]], all) },
        StaleMessages: 1,
      },
      {
        ...common,
        _aws: {
          Timestamp: time,
          CloudWatchMetrics: shape([["TraversalSeconds", "Seconds"]], each, all),
        },
        outcome: "COMPLETE",
        TraversalSeconds: [3, 5],
      },
    ]);
  });

  it("pass by the console, whose lines Lambda wraps in its JSON format", async () => {
    const meter = openMeter("prod");
    meter.add("Faults", 1);
    const wrapped = vi.spyOn(console, "log");
    const lines = await linesOf(async () => meter.publish());
    expect([lines.length, wrapped.mock.calls]).toEqual([1, []]);
    wrapped.mockRestore();
  });

  it("keep their dimensions for any number of values", async () => {
    const meter = openMeter("prod");
    const lines = await linesOf(async () => {
      for (let second = 0; second < 250; second += 1)
        meter.add("TraversalSeconds", second, "FAILED");
      meter.publish();
    });
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => "outcome" in line)).toBe(true);
  });

  it("are written even after an event that failed", async () => {
    const meter = openMeter("prod");
    const failing = middy(async () => {
      meter.add("Visits", 1, "error");
      throw new Error("planted");
    }).use(publishMetrics(meter));
    const lines = await linesOf(async () => {
      await expect(failing({}, withTimeLeft(1))).rejects.toThrow("planted");
    });
    expect(lines).toHaveLength(1);
  });
});
