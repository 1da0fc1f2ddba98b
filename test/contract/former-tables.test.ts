/**
 * Records that an earlier version wrote (former-records/, taken at commit d6a9434), on DynamoDB.
 * They remain after an upgrade, so this version must read, change and remove them.
 */
import { readFileSync } from "node:fs";
import { type AttributeValue, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { TABLE_IDS } from "#lib/adapters/aws/tables.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { present } from "#lib/errors.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { anArrival, NOW } from "./records.ts";

const STACKS_MAX = 10;
const START_MS_MAX = 120_000;
const TENANT = "tenant";
const STACK = "running";

const document = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`former-records/${name}.json`, import.meta.url), "utf8"));

const bytes = z
  .object({ base64: z.string() })
  .transform(({ base64 }) => new Uint8Array(Buffer.from(base64, "base64")));
const attribute: z.ZodType<AttributeValue> = z.lazy(() =>
  z.union([
    z.strictObject({ S: z.string() }),
    z.strictObject({ N: z.string() }),
    z.strictObject({ B: bytes }),
    z.strictObject({ BOOL: z.boolean() }),
    z.strictObject({ NULL: z.literal(true) }),
    z.strictObject({ SS: z.array(z.string()) }),
    z.strictObject({ NS: z.array(z.string()) }),
    z.strictObject({ L: z.array(attribute) }),
    z.strictObject({ M: z.record(z.string(), attribute) }),
  ]),
);
const items = z.record(z.enum(TABLE_IDS), z.array(z.record(z.string(), attribute)));

const records = z.array(z.looseObject({}));
const readSchema = z.object({
  stacks: z.array(z.looseObject({ id: z.string() })),
  graph: z.looseObject({}),
  rows: z.array(z.looseObject({ id: z.string() })),
  point: z.looseObject({}),
  input: z.looseObject({}),
  events: records,
  config: z.looseObject({}),
  server: z.looseObject({}),
  place: z.looseObject({}),
  deployments: records,
  target: z.looseObject({}),
  evidence: records,
  objects: records,
  sweep: z.number(),
});
/** What the earlier version read. This version may know more fields, with their defaults. */
const FORMER = readSchema.parse(document("read"));
const POINT = { traversalId: "traversal-1", resourceId: "working", isUpdate: true, bucket: "" };

let target: AwsTarget | null = null;
let adapter: AwsAdapter | null = null;
const opened = (): AwsAdapter => present(adapter, "the adapter");

const putItems = async ({ connection, place }: AwsTarget): Promise<void> => {
  const { endpoint, ...options } = connection;
  const url = typeof endpoint === "object" ? endpoint.dynamodb : endpoint;
  const client = new DynamoDBClient({
    ...options,
    ...(url === undefined ? {} : { endpoint: url }),
  });
  const former = items.parse(document("dynamodb"));
  for (const id of TABLE_IDS) {
    expect(former[id].length, id).toBeGreaterThan(0);
    for (const Item of former[id]) {
      await client.send(new PutItemCommand({ TableName: place.tables[id], Item }));
    }
  }
  client.destroy();
};

beforeAll(async () => {
  target = await openAwsTarget();
  await putItems(target);
  const { connection, place } = target;
  const clock = memoryClock();
  adapter = openAws({ ...connection, ...place, clock, fakeProviderName: "former" });
}, START_MS_MAX);
afterAll(async () => {
  adapter?.close();
  await target?.close();
}, START_MS_MAX);

describe("records of an earlier version", () => {
  it("are read as they were, of every kind", async () => {
    const { store, softwareConfigs, fakeProvider } = opened();
    expect(await store.listStacks(TENANT)).toMatchObject(FORMER.stacks);
    expect(await store.getGraph(STACK, POINT.traversalId)).toMatchObject(FORMER.graph);
    expect(await store.listResources(STACK)).toMatchObject(FORMER.rows);
    expect(await store.getSyncPoint(POINT)).toMatchObject(FORMER.point);
    expect(await store.listInputData(POINT)).toMatchObject(FORMER.input);
    expect(await store.listEvents(STACK, {})).toMatchObject(FORMER.events);
    expect(await store.lastSweepAt()).toBe(FORMER.sweep);
    expect(await softwareConfigs.getConfig(TENANT, "config")).toMatchObject(FORMER.config);
    expect(await softwareConfigs.getServer("server")).toMatchObject(FORMER.server);
    expect(await softwareConfigs.getDeploymentPlace(TENANT, "deployment")).toMatchObject(
      FORMER.place,
    );
    expect(await softwareConfigs.listDeployments("server")).toMatchObject(FORMER.deployments);
    expect(await softwareConfigs.getSignalTarget("derived")).toMatchObject(FORMER.target);
    expect(await softwareConfigs.listEvidence("server")).toMatchObject(FORMER.evidence);
    expect(await fakeProvider.list()).toMatchObject(FORMER.objects);
  });

  it("know nothing of what later versions record", async () => {
    const { store } = opened();
    for (const stack of await store.listStacks(TENANT)) {
      expect(stack).toMatchObject({ lastGoodTags: null, lastGoodDescription: null, actor: null });
    }
    for (const row of await store.listResources(STACK)) expect(row.signalId).toBeNull();
  });

  it("are swept: only the running stack is unsettled, and its name stands for it", async () => {
    const { stacks } = await opened().store.listUnsettledStacks(null, STACKS_MAX);
    expect(stacks).toEqual([{ tenant: TENANT, id: STACK }]);
    expect(await opened().store.getStackName(TENANT, STACK)).toBe(STACK);
  });

  it("are changed under the versions and leases that they have", async () => {
    const { store } = opened();
    const key = { stackId: STACK, id: "working" };
    const row = present(await store.getResource(key), "the working row");
    const version = { clause: "versionIs", version: row.version } as const;
    const refused = [{ clause: "noLiveLease", now: NOW }] as const;
    const status = "COMPLETE" as const;
    const set = { status, lease: null, operation: null };
    expect(await store.writeResource(key, refused, { set })).toMatchObject({ written: false });
    expect(await store.writeResource(key, [version], { set })).toMatchObject({ written: true });
    expect(await store.getResource(key)).toMatchObject({
      ...set,
      version: row.version + 1,
      name: row.name,
    });
    expect(await store.arrive(POINT, anArrival({ predecessor: 1 }))).toMatchObject({
      accepted: false,
    });
    expect(await store.arrive(POINT, anArrival({ predecessor: 2 }))).toMatchObject({
      accepted: true,
    });
  });

  it("settle and go", async () => {
    const { store, softwareConfigs } = opened();
    const asRead = [{ clause: "traversalIs", traversalId: POINT.traversalId }] as const;
    const settled = { status: "COMPLETE", settled: true } as const;
    expect(await store.writeStack(TENANT, STACK, asRead, settled)).toMatchObject({
      written: true,
    });
    expect((await store.listUnsettledStacks(null, STACKS_MAX)).stacks).toEqual([]);
    await store.deleteSyncPoints([POINT]);
    expect(await store.getSyncPoint(POINT)).toBeNull();
    expect(await store.listInputData(POINT)).toEqual({});
    const deployment = { tenant: TENANT, serverId: "server", id: "deployment" };
    await softwareConfigs.deleteDeployment(deployment, Number.MAX_SAFE_INTEGER);
    expect(await softwareConfigs.listDeployments("server")).toEqual([]);
    await softwareConfigs.deleteConfig(TENANT, "config");
    expect(await softwareConfigs.getConfig(TENANT, "config")).toBeNull();
  });
});
