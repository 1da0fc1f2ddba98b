/**
 * A write takes effect, but its answer is lost. The SDK repeats the write, and its own condition
 * refuses the repetition. So a worker may see a write of its own that succeeded as refused.
 */
import { describe, expect, it, vi } from "vitest";
import { checkResource } from "#lib/convergence/converger.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import type { JsonObject } from "#lib/json.ts";
import { createStack, openWorld, textAt, type World } from "../api/api-world.ts";

const MINUTE_MS = 60_000;
/** Each round is a minute, so all of them outlast a lease, the sweeper's margin and some sweeps. */
const ROUNDS_MAX = 8;

const template = (value: string, ...names: readonly string[]): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    names.map((name, at) => [
      name,
      {
        type: "OS::Heat::TestResource",
        properties: { value, update_replace: value === "new" && name === "b" },
        ...(at === 0 ? {} : { depends_on: names.slice(at - 1, at) }),
      },
    ]),
  ),
});

/** Lets write number `nth` take effect, and then refuses it. Counts the writes. */
const loseAnswer = (world: World, nth: number): (() => number) => {
  let writes = 0;
  const { writeResource, writeStack, arrive } = world.store;
  vi.spyOn(world.store, "writeResource").mockImplementation(async (...write) => {
    const result = await writeResource(...write);
    if (!result.written) return result;
    return ++writes === nth ? { written: false, row: result.row } : result;
  });
  vi.spyOn(world.store, "writeStack").mockImplementation(async (...write) => {
    const result = await writeStack(...write);
    if (!result.written) return result;
    return ++writes === nth ? { written: false, stack: result.stack } : result;
  });
  vi.spyOn(world.store, "arrive").mockImplementation(async (...arrival) => {
    const result = await arrive(...arrival);
    if (!result.accepted) return result;
    return ++writes === nth ? { ...result, accepted: false } : result;
  });
  return () => writes;
};

const statusOf = async (world: World, path: string): Promise<string> => {
  const { status, body } = await world.send("GET", path);
  return status === 404 ? "DELETE_COMPLETE" : textAt(body, "stack", "stack_status");
};

/** Visits each message as a first delivery, because a redelivery repeats steps anyway. */
const deliverAll = async (world: World): Promise<void> => {
  const { pending } = world.queue;
  for (;;) {
    const next = pending.toSorted((left, right) => left.deliverAt - right.deliverAt)[0];
    if (!next) return;
    pending.splice(pending.indexOf(next), 1);
    world.clock.advance(Math.max(0, next.deliverAt - world.clock.now()));
    const { message } = next;
    if (message.type === "prepare_traversal") await prepareTraversal(world.ports, message);
    else await checkResource(world.ports, message, { remainingMs: () => MINUTE_MS });
  }
};

const comeToRest = async (world: World, path: string): Promise<string> => {
  await deliverAll(world);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const status = await statusOf(world, path);
    if (!status.endsWith("IN_PROGRESS")) return status;
    world.clock.advance(MINUTE_MS);
    await sweep(world.ports);
    await deliverAll(world);
  }
  return statusOf(world, path);
};

const live = async (nth: number) => {
  const world = openWorld();
  const count = loseAnswer(world, nth);
  const path = await createStack(world, "app", { template: template("old", "a", "b", "c") });
  const ends = [await comeToRest(world, path)];
  for (const [method, body] of [
    ["PUT", { template: template("new", "a", "b") }],
    ["DELETE", undefined],
  ] as const) {
    const { status } = await world.send(method, path, body);
    if (status === 409 && !(await statusOf(world, path)).endsWith("IN_PROGRESS")) {
      await world.send(method, path, body);
    }
    ends.push(await comeToRest(world, path));
  }
  vi.restoreAllMocks();
  return { count: count(), ends };
};

describe("a write whose repetition is refused", () => {
  it("never keeps an operation from its end", async () => {
    const good = ["CREATE_COMPLETE", "UPDATE_COMPLETE", "DELETE_COMPLETE"];
    const { count, ends } = await live(0);
    expect(ends).toEqual(good);
    expect(count).toBeGreaterThan(30);
    for (let nth = 1; nth <= count; nth += 1) {
      expect([nth, (await live(nth)).ends]).toEqual([nth, good]);
    }
  });
});
