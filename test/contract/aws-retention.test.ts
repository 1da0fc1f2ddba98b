import { type AttributeValue, DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { settleStack } from "#lib/convergence/sweep/sweep-stack.ts";
import { writeEvents } from "#lib/engine/events/write-events.ts";
import { retireStack } from "#lib/engine/stacks/retire-stack.ts";
import { present } from "#lib/errors.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { type CountedAws, openCountedAws } from "#test/aws/usage.ts";
import { listCosts } from "../../tools/bench/retention/listing.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { limitMs } from "./limits.ts";
import { aGraph, anEvent, aStack } from "./records.ts";

const START_MS_MAX = limitMs(120_000);
const DAY_MS = 86_400_000;

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
const ports = () => ({ ...adapter(), clock: systemClock(), retention: retentionOf() });

type Item = Readonly<Record<string, AttributeValue>>;

const itemsOf = async (table: "stacks" | "events"): Promise<readonly Item[]> => {
  const { connection, place } = present(target, "the tables");
  const { endpoint, ...options } = connection;
  const client = new DynamoDBClient({
    ...options,
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint.dynamodb }),
  });
  const { Items = [] } = await client.send(
    new ScanCommand({ TableName: place.tables[table], ConsistentRead: true }),
  );
  client.destroy();
  return Items;
};

const ended = { action: "DELETE", status: "COMPLETE" } as const;

it("a retired stack costs its name, a write of its record and one of each page of events", async () => {
  const now = Date.now();
  const stack = aStack({ ...ended, createdAt: now, deletedAt: now });
  const { store, blobs, usage } = adapter();
  await store.putStackName(stack.tenant, stack.name, stack);
  await store.createStack(stack);
  for (const minutes of [0, 1, 2]) {
    const events = [anEvent({ stackId: stack.id, time: now + minutes * 60_000 })];
    await store.putEvents(stack.id, events);
  }
  await blobs.put(`template/${stack.id}/one`, "sealed");
  usage.reset();
  await retireStack(ports(), stack);
  const { writeUnits, readUnits, refusedWrites, requests } = usage.read();
  // The record's write also removes the stack from the sweeper's index.
  expect(writeUnits).toBeLessThanOrEqual(1 + 3 + 2);
  expect(readUnits).toBeLessThanOrEqual(2);
  expect(refusedWrites).toBe(0);
  expect(requests).toMatchObject({ "s3 ListObjectsV2": 4, "s3 DeleteObject": 1 });

  usage.reset();
  await retireStack(ports(), present(await store.getStack(stack.tenant, stack.id), "the record"));
  expect(usage.read().writeUnits).toBe(0);
});

it("P16: a settled stack costs a list of its templates and two writes of its record", async () => {
  const stack = aStack({ action: "UPDATE", status: "COMPLETE", traversalNumber: 21 });
  const { store, blobs, usage } = adapter();
  await store.createStack(stack);
  for (const templateId of [stack.templateId, ...Array.from({ length: 20 }, (_, at) => `${at}`)])
    await blobs.put(`template/${stack.id}/${templateId}`, "sealed");
  usage.reset();
  await settleStack(ports(), stack, []);
  const { writeUnits, readUnits, requests } = usage.read();
  expect(writeUnits).toBeLessThanOrEqual(3);
  expect(readUnits).toBe(0);
  expect(requests).toEqual({
    "s3 ListObjectsV2": 1,
    "s3 DeleteObject": 20,
    "dynamodb UpdateItem": 2,
  });
  expect(await blobs.list(`template/${stack.id}/`)).toEqual([
    `template/${stack.id}/${stack.templateId}`,
  ]);
});

it("every item of a deleted stack has an expiry, also an event that comes late", async () => {
  const now = Date.now();
  const stack = aStack({ ...ended, createdAt: now, deletedAt: now });
  const { store, usage } = adapter();
  const { tenant, id: stackId } = stack;
  await store.putStackName(tenant, stack.name, { id: stackId, createdAt: null });
  await store.createStack(stack);
  await store.putGraph(aGraph({ stackId }), now + 50 * DAY_MS);
  for (const late of [0, 1, 2])
    await writeEvents(ports(), [anEvent({ tenant, stackId, time: now + late })]);
  usage.reset();
  await writeEvents(ports(), [anEvent({ tenant, stackId, time: now + 3 })]);
  expect(usage.read().requests).toEqual({
    "dynamodb PutItem": 1,
    "dynamodb GetItem": 1,
    "dynamodb UpdateItem": 1,
  });
  const stacks = (await itemsOf("stacks")).filter((item) => JSON.stringify(item).includes(stackId));
  const events = (await itemsOf("events")).filter((item) => item["stackId"]?.S === stackId);
  expect([stacks.length, events.length]).toEqual([2, 4]);
  for (const item of [...stacks, ...events]) {
    const days = (Number(item["ttl"]?.N) * 1_000 - now) / DAY_MS;
    expect(Math.round(days)).toBe("graph" in item ? 50 : 30);
  }
});

it("an event costs one read of its stack's record besides its page", async () => {
  const stack = aStack();
  const { store, usage } = adapter();
  await store.createStack(stack);
  const { id: stackId, tenant } = stack;
  usage.reset();
  const events = Array.from({ length: 20 }, (_, at) => anEvent({ tenant, stackId, id: `f${at}` }));
  await writeEvents(ports(), events);
  const { readUnits, requests } = usage.read();
  expect(readUnits).toBe(1);
  expect(requests).toEqual({ "dynamodb PutItem": 1, "dynamodb GetItem": 1 });
});

it(
  "a list of stacks passes over deleted ones without reading them",
  async () => {
    const { none, living, all } = await listCosts(present(target, "the tables"), 600, 3);
    expect(none).toMatchObject({ stacks: 0, requests: 1 });
    expect(none.readUnits).toBeLessThanOrEqual(2);
    expect(living).toMatchObject({ stacks: 3, requests: 2 });
    expect(living.readUnits).toBeLessThanOrEqual(2 + 3);
    expect(all.stacks).toBe(603);
  },
  START_MS_MAX,
);
