/** The database and the core never wait. Long work must still let HTTP requests through. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bindHostPorts, type HostPorts } from "#host/host-ports.ts";
import { hostTurns } from "#host/turns.ts";
import { storedGraph } from "#lib/convergence/graph/store-graph.ts";
import { findStalledNodes } from "#lib/convergence/sweep/stalled-nodes.ts";
import { prepareTraversal, UNBOUNDED } from "#lib/convergence/traversal/prepare.ts";
import { listResources } from "#lib/engine/resources/list-resources.ts";
import { createStack } from "#lib/engine/stacks/create-stack.ts";
import { present } from "#lib/errors.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { aStack } from "#test/contract/records.ts";

/** These reads take many times longer than a turn may. */
const READS_MAX = 100_000;

const RESOURCES = 300;
const PART_NODES_MAX = 10;

let bound: HostPorts | null = null;
beforeEach(() => {
  bound = bindHostPorts(":memory:", "http://127.0.0.1");
});
afterEach(() => bound?.close());
const host = (): HostPorts => present(bound, "the host");

it("work that reads one stack after another gives others a turn", async () => {
  const { store } = host().ports;
  const { tenant, id } = aStack();
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  let reads = 0;
  while (!hasTurned && reads < READS_MAX) {
    await store.getStack(tenant, id);
    reads++;
  }
  expect(hasTurned).toBe(true);
});

const WORKERS = 6;
const WORK_MS = 8;

const workFor = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

it("long work side by side goes on one after the other, with others between", async () => {
  const turns = hostTurns();
  const log: string[] = [];
  const tick = (): void => {
    log.push("another");
    if (log.filter((who) => who === "worker").length < WORKERS) setImmediate(tick);
  };
  workFor(WORK_MS);
  setImmediate(tick);
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      await turns.pause();
      workFor(WORK_MS);
      log.push("worker");
    }),
  );
  const between = log.slice(log.indexOf("worker"), log.lastIndexOf("worker"));
  expect(between.filter((who) => who === "another").length).toBeGreaterThanOrEqual(WORKERS - 2);
});

it("short work side by side shares a turn", async () => {
  const turns = hostTurns();
  let rounds = 0;
  const tick = (): void => {
    rounds += 1;
    if (rounds < WORKERS * WORKERS) setImmediate(tick);
  };
  workFor(WORK_MS);
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, at) => {
      await turns.pause();
      if (at === 0) setImmediate(tick);
    }),
  );
  expect(rounds).toBeLessThan(2);
});

describe("on a clock of the test", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  const ROUNDS = 20;

  const work = async (
    turns: ReturnType<typeof hostTurns>,
    log: string[],
    { who, rounds, ms }: { readonly who: string; readonly rounds: number; readonly ms: number },
  ): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await turns.pause();
      vi.advanceTimersByTime(ms);
      log.push(who);
    }
  };

  it("a request does not wait until all of a long work is done", async () => {
    const turns = hostTurns();
    const log: string[] = [];
    const long = work(turns, log, { who: "long", rounds: ROUNDS, ms: WORK_MS });
    while (log.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([long, work(turns, log, { who: "request", rounds: 1, ms: 1 })]);
    expect(log.indexOf("request")).toBeLessThanOrEqual(4);
  });

  it("a long work does not wait until many short ones are done", async () => {
    const turns = hostTurns();
    const log: string[] = [];
    // The short work waits as a visit waits for a commit.
    const short = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) {
        await work(turns, log, { who: "short", rounds: 1, ms: 1 });
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const shorts = Array.from({ length: WORKERS * WORKERS }, short);
    await Promise.all([work(turns, log, { who: "long", rounds: ROUNDS, ms: WORK_MS }), ...shorts]);
    // Each of the long work's rounds has a turn, and five of the short ones share the next turn.
    expect(log.lastIndexOf("long")).toBeLessThan(log.length / 2);
  });
});

const largeSource = () => ({
  template: {
    heat_template_version: "2016-10-14",
    resources: Object.fromEntries(
      Array.from({ length: RESOURCES }, (_, at) => [`r${at}`, { type: "OS::Heat::RandomString" }]),
    ),
  },
  files: {},
  environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: {} },
});

/** The host's ports, where a pause is always due. `turns` counts the pauses that have ended. */
const pausing = () => {
  let turns = 0;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        turns += 1;
        resolve();
      });
    });
  return { ports: { ...host().ports, turns: { pause } }, turns: () => turns };
};

it("parsing and checking a template can pause at each of its resources", async () => {
  const { ports, turns } = pausing();
  await checkSource(ports, largeSource());
  // For each resource there is one step of binding, one of linking, and one of checking it with
  // what it nests.
  expect(turns()).toBe(3 * RESOURCES);
});

/** The graph of these few resources has many parts here. */
const largeStack = async () => {
  const request = { ...largeSource(), environment: null, environmentFiles: [], parameters: {} };
  const stack = await createStack(host().ports, { ...request, tenant: "demo", name: "large" });
  const { tenant, id: stackId, traversalId } = stack;
  return { stack, message: { type: "prepare_traversal", tenant, stackId, traversalId } as const };
};
const PARTS = Math.ceil(RESOURCES / PART_NODES_MAX);

it("preparing a large graph can pause at each of its resources and parts", async () => {
  const { message } = await largeStack();
  const { ports, turns } = pausing();
  expect(await prepareTraversal(ports, message, UNBOUNDED, PART_NODES_MAX)).toBe("sent");
  // A resource gets its node and then its edges. A part of nodes or of the directory is named and
  // then stored.
  expect(turns()).toBeGreaterThanOrEqual(2 * RESOURCES + 4 * PARTS);
});

it("sweeping a large stack can pause twice at each part of its graph", async () => {
  const { stack, message } = await largeStack();
  await prepareTraversal(host().ports, message, UNBOUNDED, PART_NODES_MAX);
  const { ports, turns } = pausing();
  const index = present(await storedGraph(ports, stack.id, stack.traversalId), "the graph");
  await findStalledNodes(ports, { stack, index, overdueMsMin: 0 }, []);
  expect(turns()).toBe(2 * PARTS);
});

it("listing the resources of a stack can pause at each of them", async () => {
  const request = { ...largeSource(), environment: null, environmentFiles: [], parameters: {} };
  const { id } = await createStack(host().ports, { ...request, tenant: "demo", name: "large" });
  const { ports, turns } = pausing();
  // The rows are not made yet, and each definition is listed nevertheless.
  const views = await listResources(
    ports,
    { tenant: "demo", name: "large", id },
    { nestedDepth: 0, matches: () => true, page: null },
  );
  expect(views.length).toBe(RESOURCES);
  expect(turns()).toBe(RESOURCES);
});
