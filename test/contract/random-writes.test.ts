/** Random histories of conditional writes: memory and SQLite give the same answers and end with the same rows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { type RowClause, rowClauseHolds } from "#lib/ports/conditions.ts";
import type { Arrival, RowChange, Store } from "#lib/ports/store.ts";
import { anArrival, anOperation, aRow, NOW, someData } from "./records.ts";

const STACKS = ["stack-1", "stack-2"];
const IDS = ["a", "b", "c"];

const small = fc.integer({ min: 0, max: 4 });
const moment = small.map((ms) => NOW + ms);
const token = fc.constantFrom("t1", "t2");
const action = fc.constantFrom("INIT" as const, "CREATE" as const, "DELETE" as const);

const clause: fc.Arbitrary<RowClause> = fc.oneof(
  fc.constant({ clause: "absent" as const }),
  small.map((version) => ({ clause: "versionIs" as const, version })),
  token.map((held) => ({ clause: "leaseHeldBy" as const, token: held })),
  moment.map((now) => ({ clause: "noLiveLease" as const, now })),
  small.map((signals) => ({ clause: "signalsAre" as const, signals })),
  small.map((number) => ({ clause: "numberBelow" as const, number })),
  small.map((number) => ({ clause: "numberAtMost" as const, number })),
  small.map((generation) => ({ clause: "operationGenerationIs" as const, generation })),
  moment.map((now) => ({ clause: "waitIsOver" as const, now })),
  action.map((is) => ({ clause: "actionIs" as const, action: is })),
);

const fields = fc.record(
  {
    action,
    number: small,
    statusReason: fc.string({ maxLength: 8, unit: "binary" }),
    lease: fc.option(fc.record({ token, expiresAt: moment })),
    operation: fc.option(small.map((generation) => anOperation({ generation }))),
    waitUntil: fc.option(moment),
    expiresAt: fc.option(moment),
    signals: small,
    failed: fc.option(fc.record({ traversalId: token, isUpdate: fc.boolean() })),
  },
  { requiredKeys: [] },
);

const key = fc.record({ stackId: fc.constantFrom(...STACKS), id: fc.constantFrom(...IDS) });
const rowWrite = fc.record({
  key,
  when: fc.array(clause, { maxLength: 2 }),
  set: fields,
  insert: fc.boolean(),
  addSignal: fc.boolean(),
});
type RandomWrite = typeof rowWrite extends fc.Arbitrary<infer Write> ? Write : never;

const apply = (store: Store, write: RandomWrite) => {
  const change: RowChange = {
    set: write.set,
    addSignal: write.addSignal,
    ...(write.insert && { insert: aRow({ ...write.key, ...write.set }) }),
  };
  return store.writeResource(write.key, write.when, change);
};

describe("random writes of rows", () => {
  it("have the same answers and the same end in memory and in SQLite", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowWrite, { maxLength: 40 }), async (writes) => {
        const memory = memoryStore();
        const sqlite = openSqlite(IN_MEMORY, memoryClock());
        for (const write of writes) {
          const before = await sqlite.store.getResource(write.key);
          const answer = await apply(memory, write);
          expect(await apply(sqlite.store, write)).toEqual(answer);
          const allowed = write.when.every((when) => rowClauseHolds(when, before));
          expect(answer.written).toBe(allowed && (before !== null || write.insert));
          expect(answer.row?.version ?? 0).toBe((before?.version ?? 0) + (answer.written ? 1 : 0));
        }
        for (const stackId of STACKS)
          expect(await sqlite.store.listResources(stackId)).toEqual(memory.rowsOf(stackId));
        expect(sqlite.changes.read(100)).toEqual(memory.changes);
        sqlite.close();
      }),
      { numRuns: 150 },
    );
  });
});

const arrival: fc.Arbitrary<Arrival> = fc
  .record({ predecessor: small, expiresAt: moment, inline: fc.boolean() })
  .map(({ inline, ...given }) =>
    anArrival({ ...given, data: inline ? someData(`n${given.predecessor}`) : null }),
  );

describe("random arrivals", () => {
  it("have the same answers in memory and in SQLite", async () => {
    const point = { traversalId: "t", resourceId: "r", isUpdate: true };
    const arrivals = fc.array(fc.tuple(fc.constantFrom("", "1.0"), arrival), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(arrivals, async (history) => {
        const memory = memoryStore();
        const sqlite = openSqlite(IN_MEMORY, memoryClock());
        for (const [bucket, arriving] of history)
          expect(await sqlite.store.arrive({ ...point, bucket }, arriving)).toEqual(
            await memory.arrive({ ...point, bucket }, arriving),
          );
        sqlite.close();
      }),
      { numRuns: 100 },
    );
  });
});
