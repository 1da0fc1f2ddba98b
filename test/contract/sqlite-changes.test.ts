import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import { anArrival, anEvent, aPointKey, aRow, aStack, NOW } from "./records.ts";

let adapter: SqliteAdapter;
beforeEach(() => {
  adapter = openSqlite(IN_MEMORY, memoryClock());
});
afterEach(() => adapter.close());

describe("the change feed", () => {
  it("contains a row's insert and its changes, with the images before and after", async () => {
    const row = aRow({ properties: "secret" });
    await adapter.store.writeResource(row, [], { set: {}, insert: row });
    await adapter.store.writeResource(row, [], { set: { action: "CREATE", updatedAt: NOW + 1 } });
    const image = {
      tenant: row.tenant,
      stackId: row.stackId,
      id: row.id,
      name: row.name,
      type: row.type,
      version: 1,
      number: row.number,
      generation: row.generation,
      action: row.action,
      status: row.status,
      statusReason: row.statusReason,
      physicalResourceId: row.physicalResourceId,
      signalReason: row.signalReason,
      signalId: row.signalId,
      updatedAt: row.updatedAt,
    };
    const inserted = { table: "resources", oldImage: null, newImage: image };
    const changed = {
      table: "resources",
      oldImage: image,
      newImage: { ...image, action: "CREATE", version: 2, updatedAt: NOW + 1 },
    };
    expect(adapter.changes.read(10)).toEqual([
      { sequence: 1, ...inserted },
      { sequence: 2, ...changed },
    ]);
  });

  it("contains a stack's creation and its changes, without fields of its template", async () => {
    const stack = aStack({ description: "secret" });
    await adapter.store.createStack(stack);
    await adapter.store.writeStack(stack.tenant, stack.id, [], { status: "COMPLETE" });
    const [inserted, changed] = adapter.changes.read(10);
    expect(inserted).toMatchObject({ table: "stacks", oldImage: null });
    expect(changed).toMatchObject({
      oldImage: { id: stack.id, status: "IN_PROGRESS", statusVersion: 1 },
      newImage: { id: stack.id, status: "COMPLETE", statusVersion: 2 },
    });
    expect(JSON.stringify([inserted, changed])).not.toContain("secret");
  });

  it("contains no refused write, and none that changes no image", async () => {
    const [row, stack] = [aRow(), aStack()];
    await adapter.store.createStack(stack);
    await adapter.store.writeResource(row, [], { set: {}, insert: row });
    await adapter.changes.deleteUpTo(2);
    const lease = { token: "t", expiresAt: NOW + 1 };
    await adapter.store.writeResource(row, [], { set: { lease, updatedAt: NOW + 5 } });
    await adapter.store.writeResource(row, [{ clause: "absent" }], { set: { status: "FAILED" } });
    await adapter.store.writeStack(stack.tenant, stack.id, [], { running: "traversal-1" });
    await adapter.store.createStack(stack);
    expect(adapter.changes.read(10)).toEqual([]);
  });

  it("keeps the oldest first and gives each change its own number", async () => {
    for (const status of [1, 2, 3])
      await adapter.store.createStack(aStack({ traversalNumber: status }));
    expect(adapter.changes.read(2).map(({ sequence }) => sequence)).toEqual([1, 2]);
    await adapter.changes.deleteUpTo(2);
    expect(adapter.changes.read(2).map(({ sequence }) => sequence)).toEqual([3]);
    await adapter.changes.deleteUpTo(3);
    await adapter.store.createStack(aStack());
    expect(adapter.changes.read(2).map(({ sequence }) => sequence)).toEqual([4]);
  });

  it("calls its listener once a write, when the change is readable", async () => {
    const seen: number[] = [];
    adapter.changes.onAdded(() => seen.push(adapter.changes.read(10).length));
    const row = aRow();
    await adapter.store.createStack(aStack());
    await adapter.store.writeResource(row, [], { set: {}, insert: row });
    await adapter.store.writeResource(row, [], { set: { waitUntil: NOW } });
    expect(seen).toEqual([1, 2]);
  });
});

describe("counters", () => {
  it("all start at zero", () => {
    const none = { traversals: 0, visits: 0, messages: 0, sync_point_writes: 0, events: 0 };
    expect(adapter.counters.read()).toEqual(none);
  });

  it("count accepted traversals, arrivals and events, but no refused ones", async () => {
    const [stack, key, event] = [aStack(), aPointKey(), anEvent()];
    const { tenant, id } = stack;
    await adapter.store.createStack(stack);
    await adapter.store.createStack(stack);
    await adapter.store.writeStack(tenant, id, [], { status: "COMPLETE" });
    await adapter.store.writeStack(tenant, id, [], { traversalId: "traversal-2" });
    const stale = [{ clause: "traversalIs" as const, traversalId: "traversal-1" }];
    await adapter.store.writeStack(tenant, id, stale, { traversalId: "traversal-3" });
    for (const predecessor of [0, 0, 1])
      await adapter.store.arrive(key, anArrival({ predecessor }));
    await adapter.store.putEvents(event.stackId, [event]);
    await adapter.store.putEvents(event.stackId, [event]);
    expect(adapter.counters.read()).toMatchObject({
      traversals: 2,
      sync_point_writes: 2,
      events: 1,
    });
  });
});
