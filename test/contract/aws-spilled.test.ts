/**
 * Values that are too large for their items: where they are stored, when they are deleted, and what
 * that costs.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropSpilled } from "#functions/events/change-feed.ts";
import { type AwsClients, openClients, type RequestMeter } from "#lib/adapters/aws/clients.ts";
import { configKey, graphKey, graphPartKey, resourceKey } from "#lib/adapters/aws/keys.ts";
import { type Objects, openObjects } from "#lib/adapters/aws/objects.ts";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { SPILL_BYTES_MIN, SPILLED_PREFIX } from "#lib/adapters/aws/spill.ts";
import type { Item } from "#lib/adapters/aws/table.ts";
import { Bug, present } from "#lib/errors.ts";
import type { SoftwareConfigRecord } from "#lib/model/software-config.ts";
import { metersInTurn } from "#test/aws/in-process/services.ts";
import { type CountedAws, openCountedAws } from "#test/aws/usage.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { limitMs } from "./limits.ts";
import {
  aDeployment,
  aGraph,
  aGraphPart,
  anArrival,
  anEvent,
  aPointKey,
  aRow,
  NOW,
  someData,
} from "./records.ts";

const START_MS_MAX = limitMs(120_000);
const KEYS_MAX = 1_000;

let target: AwsTarget | null = null;
let opened: CountedAws | null = null;
let clients: AwsClients | null = null;
beforeAll(async () => {
  target = await openAwsTarget();
  opened = openCountedAws({ ...target.connection, ...target.place });
  clients = openClients(target.connection);
}, START_MS_MAX);
afterAll(async () => {
  opened?.close();
  clients?.close();
  await target?.close();
}, START_MS_MAX);

const place = () => present(target, "the tables").place;
const adapter = (): CountedAws => present(opened, "the adapter");
const dynamo = () => present(clients, "the clients").dynamo;
const objects = (): Objects => openObjects(present(clients, "the clients").s3, place().bucket);
const large = (): string => randomBytes(SPILL_BYTES_MIN).toString("base64");
const bucketKeys = () => objects().list("", KEYS_MAX);

const stored = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = new Set(await bucketKeys());
  await act();
  return (await bucketKeys()).filter((key) => !before.has(key));
};

const left = async (keys: readonly string[]): Promise<readonly string[]> =>
  (await bucketKeys()).filter((key) => keys.includes(key));

type FedTable = "stacks" | "resources";

const image = async (table: FedTable, Key: Item): Promise<Item> => {
  const get = new GetItemCommand({ TableName: place().tables[table], Key, ConsistentRead: true });
  return present((await dynamo().send(get)).Item, "the item");
};

const textsOf = (item: Item) =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, { S }]) => (S === undefined ? [] : [[name, { S }]])),
  );

const expire = async (table: FedTable, Key: Item): Promise<DynamoDBRecord> => {
  const OldImage = textsOf(await image(table, Key));
  await dynamo().send(new DeleteItemCommand({ TableName: place().tables[table], Key }));
  return { eventName: "REMOVE", dynamodb: { Keys: textsOf(Key), OldImage } };
};

const insertRow = (row: ReturnType<typeof aRow>) =>
  adapter().store.writeResource(row, [], { set: {}, insert: row });

describe("the large values of a row", () => {
  it("go with it, also those that it does not point at any more", async () => {
    const row = aRow({ properties: large() });
    const keys = await stored(async () => {
      await insertRow(row);
      await adapter().store.writeResource(row, [], { set: { properties: large() } });
      await adapter().store.writeResource(row, [], { set: { properties: null } });
    });
    expect(keys).toHaveLength(2);
    expect(keys.every((key) => key.startsWith(`${SPILLED_PREFIX}resources/`))).toBe(true);
    const removal = await expire("resources", resourceKey(row));
    expect(await left(keys)).toEqual(keys);
    await dropSpilled(adapter().spilled, [removal]);
    expect(await left(keys)).toEqual([]);
  });

  it("are its own, even if another row has the same", async () => {
    const properties = large();
    const [one, other] = [aRow({ properties }), aRow({ properties, id: randomUUID() })];
    const keys = await stored(async () => {
      await insertRow(one);
      await insertRow(other);
    });
    expect(keys).toHaveLength(2);
    await dropSpilled(adapter().spilled, [await expire("resources", resourceKey(one))]);
    expect(await adapter().store.getResource(other)).toEqual({ ...other, version: 1 });
  });

  it("stay if the row is there again", async () => {
    const row = aRow({ properties: large() });
    await insertRow(row);
    const Item = await image("resources", resourceKey(row));
    const removal = await expire("resources", resourceKey(row));
    await dynamo().send(new PutItemCommand({ TableName: place().tables.resources, Item }));
    await dropSpilled(adapter().spilled, [removal]);
    expect(await adapter().store.getResource(row)).toEqual({ ...row, version: 1 });
  });

  it("cost a read, a list and a delete each, and a second delivery finds none", async () => {
    const row = aRow({ properties: large(), reference: large() });
    await insertRow(row);
    const removal = await expire("resources", resourceKey(row));
    const { usage, spilled } = adapter();
    usage.reset();
    await dropSpilled(spilled, [removal]);
    const looks = { "dynamodb GetItem": 1, "s3 ListObjectsV2": 1 };
    expect(usage.read().requests).toEqual({ ...looks, "s3 DeleteObject": 2 });
    usage.reset();
    await dropSpilled(spilled, [removal]);
    expect(usage.read().requests).toEqual(looks);
  });

  it("are not looked for if it never had any", async () => {
    const row = aRow();
    await insertRow(row);
    const removal = await expire("resources", resourceKey(row));
    adapter().usage.reset();
    await dropSpilled(adapter().spilled, [removal]);
    expect(adapter().usage.read().requests).toEqual({});
  });
});

it("a large graph goes with its item", async () => {
  const nodes = Array.from({ length: 5_000 }, (_, at) => ({
    resourceId: randomUUID(),
    name: `node_${at}`,
    isUpdate: true,
    requires: [],
    requiredBy: [],
    mints: true,
  }));
  const graph = aGraph({ nodes });
  const keys = await stored(() => adapter().store.putGraph(graph, NOW));
  expect(keys).toHaveLength(1);
  const key = graphKey(graph.stackId, graph.traversalId);
  await dropSpilled(adapter().spilled, [await expire("stacks", key)]);
  expect(await left(keys)).toEqual([]);
});

it("a large part of a graph goes with its item", async () => {
  const [node] = aGraphPart().nodes;
  const edges = Array.from({ length: 5_000 }, (_, at) => ({
    resourceId: randomUUID(),
    isUpdate: true,
    at,
    fanIn: 1,
    predecessor: 0,
  }));
  const part = aGraphPart({ nodes: [{ ...present(node, "a node"), requiredBy: edges }] });
  const key = { build: randomUUID(), part: "nodes 0" };
  const keys = await stored(() => adapter().store.putGraphPart(key, part, NOW));
  expect(keys).toHaveLength(1);
  await dropSpilled(adapter().spilled, [await expire("stacks", graphPartKey(key))]);
  expect(await left(keys)).toEqual([]);
});

const aConfig = (fields: Partial<SoftwareConfigRecord> = {}): SoftwareConfigRecord => ({
  tenant: "tenant",
  id: randomUUID(),
  stackId: "stack",
  content: large(),
  createdAt: NOW,
  ...fields,
});

describe("the large values of a software config and a deployment", () => {
  it("go with it", async () => {
    const { softwareConfigs } = adapter();
    const config = aConfig();
    const keys = await stored(() => softwareConfigs.putConfig(config));
    expect(keys).toHaveLength(1);
    await softwareConfigs.deleteConfig(config.tenant, config.id);
    expect(await left(keys)).toEqual([]);
  });

  it("go when a change replaces them, and those of a refused write at once", async () => {
    const { softwareConfigs } = adapter();
    const first = aDeployment({ serverId: randomUUID(), derivedConfig: large() });
    const keys = await stored(() => softwareConfigs.publishDeployment(first));
    const next = { ...first, status: "COMPLETE", derivedConfig: large() } as const;
    const nextKeys = await stored(() => softwareConfigs.changeDeployment(next, first));
    expect(await left(keys)).toEqual([]);
    expect(nextKeys).toHaveLength(1);
    const refused = { ...next, derivedConfig: large() };
    expect(await stored(() => softwareConfigs.changeDeployment(refused, first))).toEqual([]);
    expect(await softwareConfigs.getDeployment(first.serverId, first.id)).toEqual(next);
  });

  it("cost nothing if there are none", async () => {
    const { softwareConfigs, usage } = adapter();
    const config = aConfig({ content: "small" });
    usage.reset();
    await softwareConfigs.putConfig(config);
    await softwareConfigs.deleteConfig(config.tenant, config.id);
    expect(usage.read().requests).toEqual({ "dynamodb PutItem": 1, "dynamodb DeleteItem": 1 });
  });
});

const acting = (command: string, act: () => Promise<unknown>): AwsAdapter => {
  let acted = false;
  const meter: RequestMeter = {
    counting: () => ({
      applyToStack: (stack) =>
        stack.add(
          (next, { commandName }) =>
            async (args) => {
              if (commandName === command && !acted) {
                acted = true;
                await act();
              }
              return next(args);
            },
          { step: "initialize" },
        ),
    }),
  };
  const { connection } = present(target, "the tables");
  const both = metersInTurn(connection.meter, meter);
  return openAws({ ...connection, ...place(), meter: both });
};

describe("who reads an item whose values go at that moment", () => {
  const deleteConfig = ({ tenant, id }: SoftwareConfigRecord) =>
    adapter().softwareConfigs.deleteConfig(tenant, id);

  it("finds no item if it was deleted", async () => {
    const config = aConfig({ tenant: randomUUID() });
    const other = aConfig({ tenant: config.tenant, content: "small" });
    await adapter().softwareConfigs.putConfig(config);
    const reader = acting("GetObjectCommand", () => deleteConfig(config));
    expect(await reader.softwareConfigs.getConfig(config.tenant, config.id)).toBeNull();
    reader.close();
    await adapter().softwareConfigs.putConfig(config);
    await adapter().softwareConfigs.putConfig(other);
    const lister = acting("GetObjectCommand", () => deleteConfig(config));
    expect(await lister.softwareConfigs.listConfigs(config.tenant)).toEqual([other]);
    lister.close();
  });

  it("finds the new item if it was replaced", async () => {
    const first = aDeployment({ serverId: randomUUID(), derivedConfig: large() });
    const next = { ...first, status: "COMPLETE", derivedConfig: large() } as const;
    await adapter().softwareConfigs.publishDeployment(first);
    const reader = acting("GetObjectCommand", () =>
      adapter().softwareConfigs.changeDeployment(next, first),
    );
    expect(await reader.softwareConfigs.listDeployments(first.serverId)).toEqual([next]);
    reader.close();
  });

  it("finds the item if it was deleted and made again with the same values", async () => {
    const config = aConfig();
    await adapter().softwareConfigs.putConfig(config);
    const remover = acting("DeleteObjectCommand", () =>
      adapter().softwareConfigs.putConfig(config),
    );
    await remover.softwareConfigs.deleteConfig(config.tenant, config.id);
    remover.close();
    expect(await adapter().softwareConfigs.getConfig(config.tenant, config.id)).toEqual(config);
  });

  it("hears of a bug if the item is there and its value is not", async () => {
    const config = aConfig();
    const [key = ""] = await stored(() => adapter().softwareConfigs.putConfig(config));
    await objects().delete(key);
    const read = adapter().softwareConfigs.getConfig(config.tenant, config.id);
    await expect(read).rejects.toBeInstanceOf(Bug);
    await expect(read).rejects.toThrow(config.id);
  });
});

describe("a value that an earlier version has stored", () => {
  it("is read, and stays when its item goes, since other items may point at it", async () => {
    const content = large();
    const hash = createHash("sha256").update(content).digest("hex");
    const key = SPILLED_PREFIX + hash;
    await objects().putIfAbsent(key, Buffer.from(content), "application/octet-stream");
    const pointer: AttributeValue = { M: { spilled: { S: hash }, kind: { S: "S" } } };
    const config = aConfig({ content });
    await adapter().softwareConfigs.putConfig({ ...config, content: "small" });
    const row = aRow({ properties: "small" });
    await insertRow(row);
    const { softwareConfigs, resources } = place().tables;
    const configItem = {
      ...configKey(config.tenant, config.id),
      tenant: { S: config.tenant },
      id: { S: config.id },
      stackId: { S: config.stackId },
      createdAt: { N: String(NOW) },
      content: pointer,
    };
    const rowItem = { ...(await image("resources", resourceKey(row))), properties: pointer };
    await dynamo().send(new PutItemCommand({ TableName: softwareConfigs, Item: configItem }));
    await dynamo().send(new PutItemCommand({ TableName: resources, Item: rowItem }));
    const read = await adapter().softwareConfigs.getConfig(config.tenant, config.id);
    expect(read).toEqual(config);
    await adapter().softwareConfigs.deleteConfig(config.tenant, config.id);
    expect(await adapter().store.getResource(row)).toMatchObject({ properties: content });
    await dropSpilled(adapter().spilled, [await expire("resources", resourceKey(row))]);
    expect(await left([key])).toEqual([key]);
  });
});

it("events and SyncPoints keep all their values in their items", async () => {
  const { store, usage } = adapter();
  const stackId = randomUUID();
  const event = anEvent({ stackId, reason: large() });
  const key = aPointKey({ traversalId: randomUUID() });
  usage.reset();
  await store.putEvents(stackId, [event]);
  expect(await store.listEvents(stackId, {})).toMatchObject([{ reason: event.reason }]);
  const data = { ...someData("a"), reference: large() };
  await store.arrive(key, anArrival({ data }));
  const predecessor = anArrival().predecessor;
  expect((await store.getSyncPoint(key))?.inputData).toEqual({ [predecessor]: data });
  expect(Object.keys(usage.read().requests).filter((name) => name.startsWith("s3"))).toEqual([]);
});
