import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { openClients } from "#lib/adapters/aws/clients.ts";
import { openAws } from "#lib/adapters/aws/open-aws.ts";
import { metersInTurn } from "#test/aws/in-process/services.ts";
import { openInProcessTarget } from "#test/aws/in-process/target.ts";
import { lifeOfLargeStack, type Phase } from "../../tools/bench/large/life.ts";
import { overShare, tableUses } from "../../tools/bench/large/verdict.ts";
import { SERVICE_LIMITS, watchCalls } from "../../tools/bench/large/watched-calls.ts";
import { limitMs } from "./limits.ts";
import { ownTarget } from "./own-target.ts";
import { aCheck, aRow } from "./records.ts";

const RESOURCES = 36;
const LIFE_MS_MAX = limitMs(120_000);

const place = ownTarget();
/** The bench itself uses the second place. Both places must count the same. */
const PLACES = [
  { where: "emulators", place },
  { where: "services in this process", place: ownTarget(openInProcessTarget) },
] as const;

describe.each(PLACES)("the life of a large stack on $where", ({ place }) => {
  it(
    "has no call over a limit and no partition over its share",
    async () => {
      const phases: Phase[] = [];
      for await (const phase of lifeOfLargeStack(place(), RESOURCES)) phases.push(phase);
      expect(phases.map(({ title }) => title)).toEqual([
        "create",
        "update of one",
        "update of all",
        "update overtaken in its middle",
        "delete",
      ]);
      const [created, one, all, overtaken] = phases;
      expect(created?.visits).toBe(RESOURCES);
      expect(created?.use.messages).toBeGreaterThan(0);
      expect(created?.use.largest.object).toBeGreaterThan(0);
      expect(one?.visits).toBeLessThan(RESOURCES / 2);
      expect(all?.visits).toBe(2 * RESOURCES);
      expect(overtaken?.visits).toBeGreaterThan(2 * RESOURCES);
      for (const phase of phases) {
        const uses = tableUses(phase, place().place.tables);
        expect(overShare(phase, uses, RESOURCES)).toEqual([]);
        expect(uses.find(({ table }) => table === "resources")?.writes).toBeGreaterThan(0);
      }
    },
    LIFE_MS_MAX,
  );
});

describe.each(PLACES)("a watched call on $where", ({ place }) => {
  it("counts the units of its partition", async () => {
    const { connection, place: named } = place();
    const calls = watchCalls();
    const adapter = openAws({
      ...connection,
      ...named,
      meter: metersInTurn(calls, connection.meter),
    });
    const row = aRow();
    await adapter.store.writeResource(row, [{ clause: "absent" }], { set: {}, insert: row });
    await adapter.store.listResources(row.stackId);
    const use = calls.take();
    const units = use.tables.get(named.tables.resources)?.get(row.stackId);
    expect(units).toEqual({ reads: 1, writes: 1 });
    expect(use.largest.item).toBeGreaterThan(100);
    expect(use.largest.item).toBeLessThan(1_024);
    const statusReason = "x".repeat(3_000);
    await adapter.store.writeResource(row, [], { set: { statusReason } });
    const page = await adapter.store.listResources(row.stackId);
    expect(page.map((stored) => stored.statusReason)).toEqual([statusReason]);
    const ofLong = calls.take().tables.get(named.tables.resources)?.get(row.stackId);
    expect(ofLong).toEqual({ reads: 1, writes: 4 });
    await adapter.queue.send("check", [aCheck("one"), aCheck("two")]);
    expect(calls.take().largest.batchMessages).toBe(2);
    adapter.close();
  });
});

describe("a watched call", () => {
  it("fails if it is over a limit", async () => {
    const { connection, place: named } = place();
    const clients = openClients({ ...connection, meter: watchCalls() });
    const names = "a".repeat(SERVICE_LIMITS.expression + 1);
    const asked = new GetItemCommand({
      TableName: named.tables.resources,
      Key: { stackId: { S: "s" }, id: { S: "i" } },
      ProjectionExpression: names,
    });
    await expect(clients.dynamo.send(asked)).rejects.toThrow("expression 4097, above 4096");
    clients.close();
  });
});

describe("a verdict", () => {
  const phase = {
    title: "create",
    visits: 0,
    prepares: 1,
    prepareMs: 0,
    prepareCpuMs: 0,
    batchCpuMs: 0,
    use: watchCalls().take(),
  };
  const use = { table: "resources", writes: 330_000, reads: 0, share: 1 } as const;

  it("tells the partition that holds up a stack, and a prepare that is cut off", () => {
    expect(overShare(phase, [{ ...use, seconds: 330 }], 100_000)).toHaveLength(1);
    expect(overShare(phase, [{ ...use, seconds: 6 }], 100_000)).toEqual([]);
    expect(overShare({ ...phase, prepareMs: 60_001 }, [], 100_000)).toHaveLength(1);
  });

  it("tells visits that find neither parts of graphs nor templates in a cache", () => {
    const reading = (partReads: number, objectReads: number, visits: number) => ({
      ...phase,
      visits,
      use: { ...phase.use, partReads, objectReads },
    });
    expect(overShare(reading(50, 51, 1_010), [], 100_000)).toEqual([]);
    expect(overShare(reading(50, 51, 1_009), [], 100_000)).toHaveLength(1);
    expect(overShare(reading(50, 50, 8), [], 100_000)).toEqual([]);
  });

  it("tells a function that needs more of the processor than its memory gives", () => {
    expect(overShare({ ...phase, prepareCpuMs: 34_731 }, [], 100_000)).toEqual([]);
    expect(overShare({ ...phase, prepareCpuMs: 34_732 }, [], 100_000)).toHaveLength(1);
    expect(overShare({ ...phase, batchCpuMs: 34_732 }, [], 100_000)).toHaveLength(1);
  });
});
