import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryClock, memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { DATABASE_FILE, openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import { MESSAGE_DELAY_MS_MAX } from "#lib/ports/queue.ts";
import type { Store } from "#lib/ports/store.ts";
import { freshFolder, removeFolder } from "./folders.ts";
import {
  aCheck,
  aGraph,
  aGraphHeader,
  aGraphPart,
  anArrival,
  anEvent,
  anOperation,
  aPointKey,
  aRow,
  aStack,
  NOW,
  someData,
} from "./records.ts";

let clock: MemoryClock;
let adapter: SqliteAdapter;
beforeEach(() => {
  clock = memoryClock();
  adapter = openSqlite(IN_MEMORY, clock);
});
afterEach(() => adapter.close());

describe("putting off deadlines after a time without a host", () => {
  it("keeps what the work under way needs from expiring in that time", async () => {
    const [graph, row, key] = [aGraph(), aRow({ expiresAt: NOW }), aPointKey()];
    const part = { build: "b", part: "0" };
    await adapter.store.putGraph(graph, NOW);
    await adapter.store.putGraphPart(part, aGraphPart(), NOW);
    await adapter.store.writeResource(row, [], { set: {}, insert: row });
    await adapter.store.arrive(key, anArrival({ expiresAt: NOW }));
    await adapter.store.putInputData(key, 0, someData("a"), NOW);
    adapter.putOffDeadlines(50);
    expect(adapter.purgeExpired(NOW + 49)).toBe(0);
    expect(await adapter.store.getResource(row)).toMatchObject({ expiresAt: NOW + 50 });
    expect(adapter.purgeExpired(NOW + 50)).toBe(5);
  });
});

describe("voiding a former process", () => {
  it("makes a message visible that lies further ahead than any delay", async () => {
    const now = clock.now();
    clock.advance(MESSAGE_DELAY_MS_MAX);
    await adapter.queue.send("check", [aCheck("of another clock")], 1);
    clock.advance(-MESSAGE_DELAY_MS_MAX);
    await adapter.queue.send("check", [aCheck("delayed")], MESSAGE_DELAY_MS_MAX);
    expect(adapter.voidFormerProcess()).toEqual({ leases: 0, messages: 1 });
    expect(adapter.queue.messages()).toMatchObject([
      { visibleAt: now },
      { visibleAt: now + MESSAGE_DELAY_MS_MAX },
    ]);
  });

  it("clears every lease and does not change the rest of the row", async () => {
    const operation = anOperation({ handle: "h" });
    const held = aRow({ lease: { token: "t", expiresAt: NOW + 90_000 }, operation });
    const free = aRow();
    for (const row of [held, free])
      await adapter.store.writeResource(row, [], { set: {}, insert: row });
    await adapter.changes.deleteUpTo(2);
    expect(adapter.voidFormerProcess()).toEqual({ leases: 1, messages: 0 });
    expect(await adapter.store.getResource(held)).toEqual({ ...held, lease: null, version: 2 });
    expect(await adapter.store.getResource(free)).toEqual({ ...free, version: 1 });
    expect(adapter.changes.read(10)).toEqual([]);
    expect(adapter.voidFormerProcess()).toEqual({ leases: 0, messages: 0 });
  });

  it("makes a poll due that comes after the lease, and changes no other", async () => {
    const operation = anOperation({ handle: "h" });
    const later = clock.now() + 90_000;
    const lease = { token: "t", expiresAt: later };
    const held = aRow({ lease, operation, nextPollAt: later });
    const polled = aRow({ operation, nextPollAt: later });
    for (const row of [held, polled])
      await adapter.store.writeResource(row, [], { set: {}, insert: row });
    adapter.voidFormerProcess();
    expect((await adapter.store.getResource(held))?.nextPollAt).toBe(clock.now());
    expect((await adapter.store.getResource(polled))?.nextPollAt).toBe(later);
  });

  it("makes messages in flight visible, but not delayed ones", async () => {
    await adapter.queue.send("check", [aCheck("in-flight")]);
    await adapter.queue.send("check", [aCheck("delayed")], 5_000);
    adapter.queue.receive("check", 10, 360_000);
    expect(adapter.voidFormerProcess()).toEqual({ leases: 0, messages: 1 });
    const again = adapter.queue.receive("check", 10, 360_000);
    expect(again).toMatchObject([{ receiveCount: 2, body: JSON.stringify(aCheck("in-flight")) }]);
  });
});

describe("voiding the leases of visits that have ended", () => {
  it("takes those that expire before a time, and makes their polls due", async () => {
    const operation = anOperation({ handle: "h" });
    const at = (expiresAt: number) =>
      aRow({ lease: { token: "t", expiresAt }, operation, nextPollAt: expiresAt });
    const [ended, running] = [at(clock.now() + 89_999), at(clock.now() + 90_000)];
    for (const row of [ended, running])
      await adapter.store.writeResource(row, [], { set: {}, insert: row });
    expect(adapter.voidLeases(clock.now() + 90_000)).toBe(1);
    const voided = { lease: null, nextPollAt: clock.now() };
    expect(await adapter.store.getResource(ended)).toMatchObject(voided);
    expect(await adapter.store.getResource(running)).toEqual({ ...running, version: 1 });
  });
});

describe("purging", () => {
  const fill = async (store: Store) => {
    const [old, fresh, lasting] = [aRow({ expiresAt: NOW }), aRow({ expiresAt: NOW + 1 }), aRow()];
    for (const row of [old, fresh, lasting])
      await store.writeResource(row, [], { set: {}, insert: row });
    const [oldPoint, freshPoint] = [aPointKey(), aPointKey()];
    await store.arrive(oldPoint, anArrival({ expiresAt: NOW }));
    await store.putInputData(oldPoint, 0, someData("a"), NOW);
    await store.arrive(freshPoint, anArrival({ expiresAt: NOW + 1 }));
    await store.putInputData(freshPoint, 0, someData("a"), NOW + 1);
    return { old, fresh, lasting, oldPoint, freshPoint };
  };

  it("deletes expired records only", async () => {
    const memory = memoryStore();
    for (const { store, purgeExpired } of [adapter, { store: memory, ...memory }]) {
      const { old, fresh, lasting, oldPoint, freshPoint } = await fill(store);
      purgeExpired(NOW);
      expect(await store.getResource(old)).toBeNull();
      expect(await store.getResource(fresh)).not.toBeNull();
      expect(await store.getResource(lasting)).not.toBeNull();
      expect(await store.getSyncPoint(oldPoint)).toBeNull();
      expect(await store.listInputData(oldPoint)).toEqual({});
      expect(await store.getSyncPoint(freshPoint)).not.toBeNull();
      expect(await store.listInputData(freshPoint)).toEqual({ "0": someData("a") });
    }
  });

  it("deletes the parts of graphs that have expired, and no others", async () => {
    const memory = memoryStore();
    const old = { build: "old", part: "nodes 0" };
    const fresh = { build: "fresh", part: "nodes 0" };
    for (const store of [memory, adapter.store]) {
      await store.putGraphPart(old, aGraphPart(), NOW);
      await store.putGraphPart(fresh, aGraphPart(), NOW + 1);
    }
    memory.purgeExpired(NOW);
    expect(await memory.getGraphPart(old)).toBeNull();
    expect(await memory.getGraphPart(fresh)).not.toBeNull();
    expect([adapter.purgeExpired(NOW), adapter.purgeExpired(NOW + 1)]).toEqual([1, 1]);
  });

  it("deletes expired stacks, graphs and the events that need not stay", async () => {
    const memory = memoryStore();
    for (const { store, purgeExpired } of [adapter, { store: memory, ...memory }]) {
      const [old, living, fresh] = [aStack(), aStack(), aStack()];
      for (const stack of [old, living, fresh]) await store.createStack(stack);
      await store.writeStack(old.tenant, old.id, [], { expiresAt: NOW });
      await store.writeStack(fresh.tenant, fresh.id, [], { expiresAt: NOW + 1 });
      const [oldGraph, freshGraph] = [aGraph(), aGraph()];
      await store.putGraph(oldGraph, NOW);
      await store.putGraph(freshGraph, NOW + 1);
      const events = Array.from({ length: 5 }, (_, at) =>
        anEvent({ stackId: old.id, time: NOW + at }),
      );
      await store.putEvents(old.id, events);
      await store.putEvents(living.id, [anEvent({ stackId: living.id })]);
      const late = await store.putEvents(living.id, [anEvent({ stackId: living.id })]);
      await store.expireWritten(living.id, late, NOW);
      await store.expireWritten(living.id, late, NOW + 1);
      await store.expireEvents(old.id, NOW, 2);
      purgeExpired(NOW);
      expect(await store.getStack(old.tenant, old.id)).toBeNull();
      expect(await store.getStack(living.tenant, living.id)).toEqual(living);
      expect(await store.getStack(fresh.tenant, fresh.id)).not.toBeNull();
      expect(await store.listEvents(old.id, {})).toMatchObject(events.slice(3));
      expect(await store.listEvents(living.id, {})).toHaveLength(1);
      await store.expireEvents(old.id, NOW + 1, 0);
      purgeExpired(NOW);
      expect(await store.listEvents(old.id, {})).toMatchObject(events.slice(3));
      purgeExpired(NOW + 1);
      expect(await store.listEvents(old.id, {})).toEqual([]);
    }
  });

  it.each<[string, readonly (readonly [at: number, keep: number])[], number]>([
    [
      "an earlier moment for more of them",
      [
        [NOW + 5, 2],
        [NOW, 1],
      ],
      1,
    ],
    [
      "an earlier moment for fewer of them",
      [
        [NOW + 5, 1],
        [NOW, 3],
      ],
      3,
    ],
    [
      "a later moment for more of them",
      [
        [NOW, 2],
        [NOW + 5, 0],
      ],
      2,
    ],
    [
      "a later moment for fewer of them",
      [
        [NOW, 1],
        [NOW + 5, 3],
      ],
      1,
    ],
  ])(
    "deletes the events that expire at the earlier of two moments: %s",
    async (_, rounds, left) => {
      const { store, purgeExpired } = adapter;
      const { id: stackId } = aStack();
      const events = Array.from({ length: 5 }, (_event, at) =>
        anEvent({ stackId, time: NOW + at }),
      );
      await store.putEvents(stackId, events);
      for (const [at, keep] of rounds) await store.expireEvents(stackId, at, keep);
      purgeExpired(NOW);
      expect(await store.listEvents(stackId, {})).toMatchObject(events.slice(-left));
    },
  );

  it("deletes signal targets, evidence, sightings and uploads, and returns how many", async () => {
    await adapter.softwareConfigs.addEvidence({
      tenant: "t",
      stackId: "s",
      serverId: "v",
      deploymentId: null,
      kind: "expired",
      firstSeenAt: 0,
      lastSeenAt: 0,
      expiresAt: NOW,
    });
    await adapter.softwareConfigs.putSignalTarget({
      derivedConfigId: "d",
      tenant: "t",
      stackId: "s",
      resourceId: "r",
      serverId: "v",
      deploymentId: "p",
      generation: 1,
      expiresAt: NOW,
    });
    const server = { tenant: "t", stackId: "s", serverId: "v", expiresAt: NOW };
    await adapter.softwareConfigs.noteServer(server, { lastPollAt: 0 });
    const delivery = { ...server, deploymentId: "p", derivedConfigId: "d" };
    await adapter.softwareConfigs.noteDelivery(delivery, { fetchedAt: 0 });
    adapter.uploads.put("old", "body", NOW);
    adapter.uploads.put("fresh", "replaced", NOW);
    adapter.uploads.put("fresh", "body", NOW + 1);
    await fill(adapter.store);
    expect(adapter.purgeExpired(NOW)).toBe(8);
    expect(await adapter.softwareConfigs.getServerSighting("v")).toBeNull();
    expect(await adapter.softwareConfigs.listDeliveries("v")).toEqual([]);
    expect(adapter.uploads.get("old")).toBeNull();
    expect(adapter.uploads.get("fresh")).toBe("body");
    expect(await adapter.softwareConfigs.listEvidence("v")).toEqual([]);
    expect(adapter.purgeExpired(NOW)).toBe(0);
    expect(await adapter.softwareConfigs.getSignalTarget("d")).toBeNull();
  });
});

describe("reading", () => {
  it("counts the sync points of the given traversals", async () => {
    const keys = [
      aPointKey(),
      aPointKey({ traversalId: "one" }),
      aPointKey({ traversalId: "one" }),
    ];
    for (const key of keys) await adapter.store.arrive(key, anArrival());
    expect(adapter.countSyncPoints(["one", "other"])).toBe(2);
  });

  it("gives the same graph object to every visit", async () => {
    const graph = aGraph();
    const stored = await adapter.store.putGraph(graph, NOW);
    expect(await adapter.store.getGraph(graph.stackId, graph.traversalId)).toBe(stored);
    expect(await adapter.store.putGraph({ ...graph }, NOW)).toBe(stored);
  });
});

describe("the latest time of a folder", () => {
  it("is that of its last message or sweep, and of no account without a stack at work", async () => {
    await adapter.store.recordSweep(clock.now());
    expect(adapter.latestTime()).toBeNull();
    await adapter.store.createStack(aStack({ settled: false }));
    expect(adapter.latestTime()).toBe(clock.now());
    clock.advance(5_000);
    await adapter.queue.send("check", [aCheck("a")], 700);
    expect(adapter.latestTime()).toBe(clock.now());
  });
});

describe("the graphs of a stack", () => {
  const FAR = NOW + 86_400_000;
  let folder: string;
  let kept: SqliteAdapter;
  beforeEach(() => {
    folder = freshFolder();
    kept = openSqlite(folder, clock);
  });
  afterEach(() => {
    kept.close();
    removeFolder(folder);
  });
  /** This reads the file itself, because the adapter caches the graphs that it has read. */
  const leftIn = (table: "graphs" | "graph_parts", column: string): readonly unknown[] => {
    const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
    const rows = database.prepare(`SELECT ${column} AS name FROM ${table} ORDER BY rowid`).all();
    database.close();
    return rows.map((row) => row["name"]);
  };

  it("go when their traversals have ended and no message names them", async () => {
    const ids = ["old", "older", "in hand", "published", "current"];
    const stack = aStack({ traversalId: "current", running: "published" });
    await kept.store.createStack(stack);
    const { id: stackId } = stack;
    for (const traversalId of ids) await kept.store.putGraph(aGraph({ stackId, traversalId }), FAR);
    await kept.queue.send("check", [{ ...aCheck("row"), stackId, traversalId: "in hand" }]);
    const [received] = kept.queue.receive("check", 1, 60_000, () => 1);
    expect(kept.purgeExpired(NOW)).toBe(2);
    expect(leftIn("graphs", "traversal_id")).toEqual(["in hand", "published", "current"]);
    expect(kept.purgeExpired(NOW)).toBe(0);
    kept.queue.delete(received?.receiptHandle ?? "");
    expect(kept.purgeExpired(NOW)).toBe(1);
    expect(leftIn("graphs", "traversal_id")).toEqual(["published", "current"]);
  });

  it("take their parts with them, and no other graph's", async () => {
    const stack = aStack({ traversalId: "current", running: "current" });
    await kept.store.createStack(stack);
    const { id: stackId } = stack;
    for (const traversalId of ["gone", "also gone", "current"]) {
      const header = aGraphHeader({ stackId, traversalId });
      const parts = { ...header.parts, build: `build of ${traversalId}` };
      const key = { build: parts.build, part: "nodes 0" };
      await kept.store.putGraphPart(key, aGraphPart(), FAR);
      await kept.store.putGraph({ ...header, parts }, FAR);
    }
    expect(kept.purgeExpired(NOW)).toBe(4);
    expect(leftIn("graph_parts", "build")).toEqual(["build of current"]);
  });

  it("stay while a stack has no more than it may need", async () => {
    for (const name of ["one", "two"]) {
      const stack = aStack({ name, traversalId: "current", running: null });
      await kept.store.createStack(stack);
      for (const traversalId of ["current", "former"])
        await kept.store.putGraph(aGraph({ stackId: stack.id, traversalId }), FAR);
    }
    expect(kept.purgeExpired(NOW)).toBe(0);
  });
});
