import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { deploymentClauseHolds, rowClauseHolds, whenPublished } from "#lib/ports/conditions.ts";
import {
  apply,
  applyToDeployment,
  arrival,
  deploymentWrite,
  rowWrite,
  STACKS,
} from "./random-history.ts";
import { aDeployment } from "./records.ts";

describe("random writes of rows", () => {
  it("give the same answers and records in memory and in SQLite", async () => {
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

describe("random arrivals", () => {
  it("give the same answers in memory and in SQLite", async () => {
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

describe("random writes of deployments", () => {
  it("give the same answers and records in memory and in SQLite", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deploymentWrite, { maxLength: 40 }), async (writes) => {
        const memory = memorySoftwareConfigStore();
        const sqlite = openSqlite(IN_MEMORY, memoryClock());
        const { softwareConfigs } = sqlite;
        for (const write of writes) {
          const before = await softwareConfigs.getDeployment("server", write.id);
          const answer = await applyToDeployment(memory, "server", write);
          expect(await applyToDeployment(softwareConfigs, "server", write)).toBe(answer);
          const holds = whenPublished(aDeployment(write.next)).every((clause) =>
            deploymentClauseHolds(clause, before),
          );
          if (write.verb === "publish") expect(answer).toBe(holds);
        }
        expect(await softwareConfigs.listDeployments("server")).toEqual(memory.deployments());
        sqlite.close();
      }),
      { numRuns: 150 },
    );
  });
});
