/** What the simulation uses of the memory adapters beyond their ports. */
import { describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue } from "#lib/adapters/memory/queue.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { aCheck, aGraph, anArrival, anEvent, aPointKey, aRow, aStack, NOW } from "./records.ts";

describe("the memory store", () => {
  it("has done its work when the call returns, before the promise resolves", async () => {
    const store = memoryStore();
    const row = aRow();
    const write = store.writeResource(row, [], { set: {}, insert: row });
    expect(store.row(row.stackId, row.id)).toEqual({ ...row, version: 1 });
    await write;
  });

  it("shows everything to a checker", async () => {
    const store = memoryStore();
    const [stack, row, graph, event] = [aStack(), aRow(), aGraph(), anEvent()];
    await store.createStack(stack);
    await store.writeResource(row, [], { set: {}, insert: row });
    await store.putGraph(graph, NOW);
    await store.putEvents(event.stackId, [event]);
    const { syncPoint } = await store.arrive(aPointKey(), anArrival());
    const stored = { ...row, version: 1 };
    expect(store.dump()).toEqual({
      stacks: [stack],
      rows: [stored],
      syncPoints: [syncPoint],
      graphs: [graph],
      events: [{ ...event, order: 0 }],
    });
    expect(store.rowsOf(row.stackId)).toEqual([stored]);
    expect(store.changes.map(({ table }) => table)).toEqual(["stacks", "resources"]);
  });

  it("does not change an earlier dump", async () => {
    const store = memoryStore();
    const stack = aStack();
    await store.createStack(stack);
    const dump = store.dump();
    await store.writeStack(stack.tenant, stack.id, [], { status: "FAILED" });
    await store.createStack(aStack());
    expect(dump.stacks).toEqual([stack]);
  });
});

describe("the memory queue", () => {
  it("lets its owner take messages in any order", async () => {
    const clock = memoryClock();
    const queue = memoryQueue(clock);
    await queue.send("check", ["a", "b", "c"].map(aCheck));
    const [taken] = queue.pending.splice(1, 1);
    expect(taken).toMatchObject({ queue: "check", message: aCheck("b"), deliverAt: clock.now() });
    await queue.send("poll", [aCheck("d")], 10);
    const ids = queue.pending.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });
});

describe("the memory fake provider", () => {
  it("logs every call and whether it had an effect", async () => {
    const cloud = memoryFakeProvider(memoryClock());
    const create = {
      token: "c",
      stackName: "s",
      logicalName: "l",
      type: "t",
      properties: {},
      waitMs: 0,
    };
    await cloud.create(create);
    await cloud.create(create);
    const [object] = cloud.objects();
    const physicalId = object?.physicalId ?? "";
    await cloud.update({ token: "u", physicalId, properties: {}, waitMs: 0 });
    await cloud.delete({ token: "d", physicalId, waitMs: 0 });
    await cloud.delete({ token: "d", physicalId, waitMs: 0 });
    await cloud.update({ token: "v", physicalId, properties: {}, waitMs: 0 });
    expect(cloud.calls()).toEqual([
      { kind: "create", token: "c", physicalId, effect: true },
      { kind: "create", token: "c", physicalId, effect: false },
      { kind: "update", token: "u", physicalId, effect: true },
      { kind: "delete", token: "d", physicalId, effect: true },
      { kind: "delete", token: "d", physicalId, effect: false },
      { kind: "update", token: "v", physicalId, effect: false },
    ]);
  });
});
