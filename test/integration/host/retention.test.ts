import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bindStepPorts } from "#host/host-ports.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import { aGraph, anEvent, aStack } from "#test/contract/records.ts";
import { folderSizes } from "../../../tools/bench/retention/folder.ts";
import { takeBack } from "../../upgrade/former-schema.ts";

const RUN_MS_MAX = 60_000;
/** Counters and heartbeats, which have one record each, take their first pages. */
const NEW_PAGES_BYTES_MAX = 8 * 4_096;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-retention-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the data folder", () => {
  it(
    "is as small as at the start after its stacks were deleted and have expired",
    async () => {
      const { start, full, end } = await folderSizes(folder, 60);
      expect(full).toBeGreaterThan(start + 100_000);
      expect(end).toBeLessThanOrEqual(start + NEW_PAGES_BYTES_MAX);
    },
    RUN_MS_MAX,
  );
});

describe("a data folder of an older version", () => {
  it("keeps what it holds, retires what was deleted, and can shrink from then on", async () => {
    const old = bindStepPorts(folder, "http://127.0.0.1");
    const now = old.clock.now();
    const ended = { action: "DELETE", status: "COMPLETE", settled: true } as const;
    const deleted = aStack({ ...ended, name: "deleted", createdAt: now, deletedAt: now });
    const living = aStack({ tenant: deleted.tenant, name: "living", createdAt: now });
    const graph = aGraph({ stackId: living.id });
    for (const stack of [deleted, living]) {
      await old.ports.store.createStack(stack);
      await old.ports.store.putStackName(stack.tenant, stack.name, stack);
      await old.ports.store.putEvents(stack.id, [anEvent({ stackId: stack.id })]);
    }
    await old.ports.store.putGraph(graph, now);
    await old.ports.blobs.put(`template/${deleted.id}/one`, "sealed");
    old.close();
    takeBack(folder, 4);

    const host = bindStepPorts(folder, "http://127.0.0.1");
    const { store, blobs } = host.ports;
    expect(await store.getStack(living.tenant, living.id)).toEqual(living);
    await sweepAndRecord(host.ports);
    expect(await store.listNamedStacks(living.tenant)).toEqual([
      { id: living.id, createdAt: living.createdAt },
    ]);
    expect(await blobs.list("template/")).toEqual([]);
    host.tidy(now + 30 * 86_400_000 + 60_000);
    expect(await store.getStack(deleted.tenant, deleted.id)).toBeNull();
    expect(await store.listEvents(deleted.id, {})).toEqual([]);
    expect(await store.listEvents(living.id, {})).toHaveLength(1);
    expect(await store.getGraph(graph.stackId, graph.traversalId)).toEqual(graph);
    host.close();
    const database = new DatabaseSync(join(folder, DATABASE_FILE));
    expect(database.prepare("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
    database.close();
  });
});
