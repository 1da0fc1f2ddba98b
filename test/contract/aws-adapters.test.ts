/** What the AWS adapters do beyond their ports: large values, expiry, usage counts. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resourceKey, stackKey } from "#lib/adapters/aws/keys.ts";
import { SPILL_BYTES_MIN } from "#lib/adapters/aws/spill.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { uuidIds } from "#lib/adapters/node/platform.ts";
import { storedGraph, storeGraph } from "#lib/convergence/graph/store-graph.ts";
import { GRAPH_PART_NODES_MAX } from "#lib/convergence/limits.ts";
import { present } from "#lib/errors.ts";
import { textAgainst } from "#lib/model/sealed-text.ts";
import type { EventQuery } from "#lib/ports/store.ts";
import { type CountedAws, openCountedAws } from "#test/aws/usage.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { limitMs } from "./limits.ts";
import {
  aCheck,
  aGraph,
  anArrival,
  anEvent,
  anOperation,
  aPointKey,
  aRow,
  aStack,
  NOW,
  someData,
} from "./records.ts";

const START_MS_MAX = limitMs(120_000);
/** The tests of this file make fewer stacks than this. */
const UNSETTLED_MAX = 1_000;

let target: AwsTarget | null = null;
let opened: CountedAws | null = null;
beforeAll(async () => {
  target = await openAwsTarget();
  opened = openCountedAws({ ...target.connection, ...target.place });
}, START_MS_MAX);
afterAll(async () => {
  opened?.close();
  await target?.close();
}, START_MS_MAX);

const adapter = (): CountedAws => present(opened, "the adapter");
const insertRow = (row: ReturnType<typeof aRow>) =>
  adapter().store.writeResource(row, [], { set: {}, insert: row });

const openClient = (): DynamoDBClient => {
  const { endpoint, ...options } = present(target, "the tables").connection;
  return new DynamoDBClient({
    ...options,
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint.dynamodb }),
  });
};

const storedRow = async (row: { stackId: string; id: string }) => {
  const { place } = present(target, "the tables");
  const client = openClient();
  const Key = resourceKey(row);
  const { Item } = await client.send(
    new GetItemCommand({ TableName: place.tables.resources, Key, ConsistentRead: true }),
  );
  client.destroy();
  return present(Item, "the item");
};

describe("items", () => {
  it("keep large sealed texts in S3, including those of an operation", async () => {
    const text = randomBytes(4 * SPILL_BYTES_MIN).toString("base64");
    const large = await aesCipher(randomBytes(32)).seal({ context: "c", field: "f" }, text);
    const other = "y".repeat(8 * SPILL_BYTES_MIN);
    const row = aRow({ properties: large, operation: anOperation({ properties: other }) });
    await insertRow(row);
    expect(await adapter().store.getResource(row)).toEqual({ ...row, version: 1 });
    expect(JSON.stringify(await storedRow(row)).length).toBeLessThan(4_096);
    const set = { reference: other, properties: null };
    const write = await adapter().store.writeResource(row, [], { set });
    expect(write.row).toEqual({ ...row, ...set, version: 2 });
    expect(await adapter().store.listResources(row.stackId)).toEqual([write.row]);
  });

  it("hold rows that wait for tens of thousands of others", async () => {
    const requires = Array.from({ length: 30_000 }, () => randomUUID());
    const row = aRow({ requires, operation: anOperation({ requires }) });
    await insertRow(row);
    expect(await adapter().store.getResource(row)).toEqual({ ...row, version: 1 });
  });

  it("hold the graphs of tens of thousands of nodes", async () => {
    const nodes = Array.from({ length: 20_000 }, (_, at) => ({
      resourceId: randomUUID(),
      name: `node_${at}`,
      isUpdate: true,
      requires: at === 0 ? [] : [at - 1],
      requiredBy: [],
      mints: true,
    }));
    // Most nodes have no row, as in the records of former versions.
    const graph = aGraph({ nodes: [...aGraph().nodes, ...nodes] });
    await adapter().store.putGraph(graph, NOW);
    const { connection, place } = present(target, "the tables");
    const fresh = openCountedAws({ ...connection, ...place });
    const read = await fresh.store.getGraph(graph.stackId, graph.traversalId);
    expect(read).toEqual(graph);
    expect(await fresh.store.getGraph(graph.stackId, graph.traversalId)).toBe(read);
    fresh.close();
  });

  it("let a cold worker read a node of a large graph in three requests", async () => {
    const nodes = Array.from({ length: 3 * GRAPH_PART_NODES_MAX }, (_, at) => ({
      resourceId: randomUUID(),
      name: `node_${at}`,
      isUpdate: true,
      requires: at === 0 ? [] : [at - 1],
      requiredBy: at + 1 === 3 * GRAPH_PART_NODES_MAX ? [] : [at + 1],
      mints: true,
    }));
    const graph = aGraph({ nodes });
    const ports = { store: adapter().store, ids: uuidIds() };
    await storeGraph(ports, graph, NOW, GRAPH_PART_NODES_MAX);
    const { connection, place } = present(target, "the tables");
    const cold = openCountedAws({ ...connection, ...place });
    const { stackId, traversalId } = graph;
    for (let times = 0; times < 2; times++) {
      const index = present(await storedGraph(cold, stackId, traversalId), "the graph");
      const at = await index.positionOf(present(nodes[700], "a node"));
      expect(await index.nodeAt(present(at, "its position"))).toMatchObject({ name: "node_700" });
    }
    expect(cold.usage.read().requests["dynamodb GetItem"]).toBe(3);
    cold.close();
  });

  it("of rows with an operation stay within one write unit", async () => {
    const cipher = aesCipher(randomBytes(32));
    const text = randomBytes(120).toString("base64");
    const properties = await cipher.seal({ context: "c", field: "f" }, JSON.stringify({ text }));
    const requires = [randomUUID(), randomUUID(), randomUUID()];
    const ids = { templateId: randomUUID(), traversalId: randomUUID() };
    const row = aRow({
      tenant: randomUUID(),
      type: "OS::Heat::SoftwareDeployment",
      requires,
      templateId: ids.templateId,
      lease: { token: randomUUID(), expiresAt: NOW },
      operation: anOperation({ ...ids, requires, properties }),
    });
    adapter().usage.reset();
    const change = { set: {}, insert: row };
    await adapter().store.writeResource(row, [{ clause: "absent" }], change);
    expect(adapter().usage.read()).toMatchObject({ writeUnits: 1, refusedWrites: 0 });
  });

  it("of rows name the template that a text is sealed against in 16 bytes, also a spilled one", async () => {
    const sealed = `v2.${Buffer.alloc(SPILL_BYTES_MIN, 7).toString("base64url")}`;
    const text = textAgainst({ templateId: randomUUID(), sealed });
    const row = aRow({ properties: text, operation: anOperation({ properties: text }) });
    await insertRow(row);
    const stored = await storedRow(row);
    expect(stored["properties"]?.M?.["t"]?.B?.length).toBe(16);
    expect(stored["properties"]?.M?.["b"]?.M).toHaveProperty("spilled");
    expect(await adapter().store.getResource(row)).toEqual({ ...row, version: 1 });
  });

  it("expire by a time in whole seconds, unless their expiry is removed", async () => {
    const row = aRow({ expiresAt: NOW + 1 });
    await insertRow(row);
    expect((await storedRow(row))["ttl"]).toEqual({ N: String(NOW / 1_000 + 1) });
    await adapter().store.writeResource(row, [], { set: { expiresAt: null } });
    expect(await storedRow(row)).not.toHaveProperty("ttl");
  });

  it("are absent under keys that no item can have", async () => {
    const { store, softwareConfigs, usage } = adapter();
    for (const odd of ["", "x".repeat(5_000)]) {
      expect(await store.getStackName(odd, odd)).toBeNull();
      expect(await store.getResource({ stackId: odd, id: odd })).toBeNull();
      expect(await softwareConfigs.getConfig("tenant", odd)).toBeNull();
      // AWS refuses such a key. An emulator may answer it, so the test checks that no request is
      // made.
      usage.reset();
      expect(await softwareConfigs.listDeployments(odd || "x".repeat(1_100))).toEqual([]);
      expect(await softwareConfigs.listEvidence(odd)).toEqual([]);
      expect(usage.read().requests).toEqual({});
    }
  });

  it("of unreadable stacks hide no other stack from the sweeper", async () => {
    const { store } = adapter();
    const [good, broken] = [aStack({ id: randomUUID() }), aStack({ id: randomUUID() })];
    await store.createStack(good);
    await store.createStack(broken);
    const client = openClient();
    const stack = {
      TableName: present(target, "the tables").place.tables.stacks,
      Key: stackKey(broken.tenant, broken.id),
    };
    await client.send(
      new UpdateItemCommand({
        ...stack,
        UpdateExpression: "SET #action = :action",
        ExpressionAttributeNames: { "#action": "action" },
        ExpressionAttributeValues: { ":action": { S: "OF_THE_NEXT_REVISION" } },
      }),
    );
    const { stacks } = await store.listUnsettledStacks(null, UNSETTLED_MAX);
    for (const { tenant, id } of [good, broken]) expect(stacks).toContainEqual({ tenant, id });
    await expect(store.getStack(broken.tenant, broken.id)).rejects.toThrow();
    await client.send(new DeleteItemCommand(stack));
    client.destroy();
  });

  it("of one tenant cannot be read through another tenant whose name is a prefix", async () => {
    const config = { tenant: "a#b", id: "c", stackId: "s", content: "sealed", createdAt: NOW };
    await adapter().softwareConfigs.putConfig(config);
    expect(await adapter().softwareConfigs.getConfig("a", "b#c")).toBeNull();
  });
});

describe("a batch of deletions", () => {
  it("looks only for data that may lie beside a point", async () => {
    const { store, usage } = adapter();
    const keys = [true, false].map((hasDataBeside) => ({ ...aPointKey(), hasDataBeside }));
    usage.reset();
    await store.deleteSyncPoints(keys);
    expect(usage.read().requests).toEqual({
      "dynamodb Query": 1,
      "dynamodb BatchWriteItem": 1,
    });
  });
});

describe("usage", () => {
  it("counts requests, units and refusals, and a reset sets it to zero", async () => {
    const { store, usage } = adapter();
    usage.reset();
    const key = aPointKey();
    await store.arrive(key, anArrival({ data: someData("a") }));
    expect(usage.read()).toEqual({
      requests: { "dynamodb UpdateItem": 1 },
      readUnits: 0,
      writeUnits: 1,
      refusedWrites: 0,
    });
    await store.arrive(key, anArrival());
    expect(usage.read()).toMatchObject({ writeUnits: 2, refusedWrites: 1 });
    await store.getSyncPoint(key);
    await adapter().queue.send("check", [aCheck("one"), aCheck("two")]);
    expect(usage.read().requests["sqs SendMessageBatch"]).toBe(1);
    usage.reset();
    expect(usage.read()).toEqual({ requests: {}, readUnits: 0, writeUnits: 0, refusedWrites: 0 });
  });
});

describe("the depths of the queues", () => {
  it("include the watched queues, and no age, which SQS does not report", async () => {
    const { connection, place } = present(target, "a place for the adapters");
    const watchedQueues = [
      { queue: "check-dead-letter", holds: "dead-letters", url: place.queues.prepare },
    ] as const;
    const watching = openCountedAws({ ...connection, ...place, watchedQueues });
    await watching.queue.send("prepare", [aCheck("letter")]);
    const letters = async () =>
      (await watching.queue.depths()).find(({ queue }) => queue === "check-dead-letter");
    await expect.poll(letters, { timeout: limitMs(60_000) }).toMatchObject({
      holds: "dead-letters",
      waiting: 1,
      inFlight: 0,
      oldestWaitingMs: null,
    });
    watching.close();
  }, 70_000);
});

describe("events", () => {
  const CLOCK_ERROR_MS = 60_000;
  const HOUR_MS = 3_600_000;

  it("of two streams and several clocks are listed in the order of their causes", async () => {
    const stackId = randomUUID();
    const begun = anEvent({
      stackId,
      time: NOW + CLOCK_ERROR_MS,
      change: { recordId: stackId, version: 1, traversalNumber: 1 },
    });
    const rows = [0, -CLOCK_ERROR_MS, 1].map((ms, at) =>
      anEvent({
        stackId,
        time: NOW + ms,
        change: { recordId: "row", version: at + 1, traversalNumber: 1 },
      }),
    );
    const later = Array.from({ length: 40 }, (_, at) =>
      anEvent({
        stackId,
        time: NOW + at * HOUR_MS + HOUR_MS,
        change: { recordId: `row-${at}`, version: 1, traversalNumber: 1 },
      }),
    );
    const { store } = adapter();
    for (const event of later.toReversed()) await store.putEvents(stackId, [event]);
    for (const event of rows.toReversed()) await store.putEvents(stackId, [event]);
    await store.putEvents(stackId, [begun]);
    await store.putEvents(stackId, [...rows, begun]);
    const caused = [begun, ...rows, ...later].map(({ id }) => id);
    const ids = async (query: EventQuery) =>
      (await store.listEvents(stackId, query)).map(({ id }) => id);
    expect(await ids({})).toEqual(caused);
    expect(await ids({ descending: true })).toEqual(caused.toReversed());
    expect(await ids({ limit: 6 })).toEqual(caused.slice(0, 6));
    expect(await ids({ marker: caused[2] ?? "", limit: 3 })).toEqual(caused.slice(3, 6));
  });

  it(
    "that expire already are not read by every round",
    async () => {
      const stackId = randomUUID();
      const { store, usage } = adapter();
      const put = (at: number): Promise<readonly string[]> =>
        store.putEvents(stackId, [anEvent({ stackId, time: NOW + at * HOUR_MS })]);
      for (let at = 0; at < 150; at++) await put(at);
      await store.expireEvents(stackId, NOW, 1);
      await put(150);
      usage.reset();
      await store.expireEvents(stackId, NOW, 1);
      const { requests } = usage.read();
      expect(requests).toEqual({ "dynamodb Query": 2, "dynamodb UpdateItem": 1 });
      usage.reset();
      await store.expireEvents(stackId, NOW, 0);
      expect(usage.read().requests).toEqual({ "dynamodb Query": 1, "dynamodb UpdateItem": 1 });
    },
    limitMs(60_000),
  );

  it("at the end of a long list are read without the rest", async () => {
    const stackId = randomUUID();
    const { store, usage } = adapter();
    const events = Array.from({ length: 300 }, (_, at) =>
      anEvent({ stackId, time: NOW + at * HOUR_MS, reason: randomBytes(20_000).toString("hex") }),
    );
    for (const event of events) await store.putEvents(stackId, [event]);
    usage.reset();
    const [newest] = await store.listEvents(stackId, { descending: true, limit: 1 });
    expect(newest?.id).toBe(events.at(-1)?.id);
    expect(usage.read().requests).toEqual({ "dynamodb Query": 1 });
  });
});
