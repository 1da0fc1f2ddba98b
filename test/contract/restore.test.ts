import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSigningText } from "#functions/aws/signing-secret.ts";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { present } from "#lib/errors.ts";
import { type CreatedPlace, createTables } from "#test/aws/create-tables.ts";
import { HEARTH } from "../hearth-program.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { type FakeSecrets, startFakeSecrets } from "./fake-secrets.ts";
import { freshFolder, removeFolder } from "./folders.ts";
import { aGraph, anEvent, aRow, aStack, NOW } from "./records.ts";

const START_MS_MAX = 120_000;
/** The rows need more than two batches of DynamoDB. */
const ROWS = 60;
/** A text of 64 KB or more is stored as an object in the bucket. */
const LARGE = "x".repeat(100_000);

let target: AwsTarget | null = null;
let to: CreatedPlace | null = null;
let folder = "";
let secrets: FakeSecrets;
const tokenTables = { from: `tokens-${randomUUID()}`, to: `tokens-${randomUUID()}` };

const places = () => {
  const { connection, place } = present(target, "a place to copy from");
  return { connection, from: place, to: present(to, "a place to copy to") };
};

const open = (place: CreatedPlace): AwsAdapter =>
  openAws({ ...places().connection, ...place, clock: memoryClock(), fakeProviderName: "none" });

const dynamo = () => {
  const { endpoint, ...connection } = places().connection;
  const url = typeof endpoint === "object" ? endpoint.dynamodb : endpoint;
  return new DynamoDBClient({ ...connection, ...(url === undefined ? {} : { endpoint: url }) });
};

const createTokens = async (TableName: string): Promise<void> => {
  const client = dynamo();
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    }),
  );
  client.destroy();
};

const writeOutputs = (side: "from" | "to", place: CreatedPlace, more: object = {}): void => {
  const { stacks, resources, events, softwareConfigs } = place.tables;
  const apiTokens = tokenTables[side];
  const outputs = {
    Tables: JSON.stringify({ stacks, resources, events, softwareConfigs, apiTokens }),
    BlobsBucket: place.bucket,
    SigningSecretArn: "arn:aws:secretsmanager:us-east-1:1:secret:signing",
    EncryptionSecretArn: "arn:aws:secretsmanager:us-east-1:1:secret:encryption",
    ...more,
  };
  writeFileSync(join(folder, `${side}.json`), JSON.stringify({ "Hearth-any": outputs }));
};

beforeAll(async () => {
  target = await openAwsTarget();
  to = await createTables(target.connection, `hearth-test-${randomUUID().slice(0, 8)}`);
  folder = freshFolder();
  secrets = await startFakeSecrets();
  for (const side of ["from", "to"] as const) {
    await createTokens(tokenTables[side]);
    writeOutputs(side, places()[side]);
  }
}, START_MS_MAX);
afterAll(async () => {
  secrets.close();
  await to?.remove();
  await target?.close();
  removeFolder(folder);
}, START_MS_MAX);

const restore = async (...args: readonly string[]) => {
  const { connection } = places();
  const { endpoint } = connection;
  const services =
    typeof endpoint === "object" ? endpoint : { dynamodb: endpoint ?? "", s3: endpoint ?? "" };
  const child = spawn(process.execPath, [HEARTH, "aws", "restore", ...args], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_REGION: connection.region,
      AWS_ENDPOINT_URL_DYNAMODB: services.dynamodb,
      AWS_ENDPOINT_URL_S3: services.s3,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  await once(child, "close");
  return { code: child.exitCode, stdout, stderr };
};

const FILES = ["--from", "from.json", "--to", "to.json"];

describe("restoring a stage's data", { timeout: START_MS_MAX }, () => {
  it("copies stacks, rows, graphs, events, tokens and objects, so that the engine reads them", async () => {
    const source = open(places().from);
    const stack = aStack();
    await source.store.createStack(stack);
    const rows = Array.from({ length: ROWS }, () => aRow({ stackId: stack.id, reference: LARGE }));
    for (const row of rows) await source.store.writeResource(row, [], { set: {}, insert: row });
    const graph = aGraph({ stackId: stack.id });
    await source.store.putGraph(graph, NOW);
    const event = anEvent({ stackId: stack.id });
    await source.store.putEvents(stack.id, [event]);
    const client = dynamo();
    const token = { pk: { S: "hash" }, tenant: { S: "demo" } };
    await client.send(new PutItemCommand({ TableName: tokenTables.from, Item: token }));

    const done = await restore("data", ...FILES);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain(`resources: ${ROWS} items copied`);

    const copy = open(places().to);
    expect(await copy.store.getStack(stack.tenant, stack.id)).toEqual(stack);
    const copied = await copy.store.listResources(stack.id);
    expect(copied.length).toBe(ROWS);
    expect(copied.every(({ reference }) => reference === LARGE)).toBe(true);
    expect(await copy.store.getGraph(stack.id, graph.traversalId)).toEqual(graph);
    expect((await copy.store.listEvents(stack.id, {})).map(({ id }) => id)).toEqual([event.id]);
    const { Items } = await client.send(new ScanCommand({ TableName: tokenTables.to }));
    expect(Items).toEqual([token]);
    client.destroy();
    source.close();
    copy.close();
  });

  it("refuses a target that has stacks, unless it continues an interrupted run", async () => {
    const refused = await restore("data", ...FILES);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /holds 1 stacks\. If they are from an interrupted run, add --again/,
    );
    expect(await restore("data", ...FILES, "--again")).toMatchObject({ code: 0, stderr: "" });
  });

  it("gives a stage back what it had: rehearses first, and refuses while the stage runs", async () => {
    const client = dynamo();
    const put = (pk: string, tenant: string) =>
      client.send(
        new PutItemCommand({
          TableName: tokenTables.to,
          Item: { pk: { S: pk }, tenant: { S: tenant } },
        }),
      );
    await put("hash", "changed since");
    await put("later", "demo");
    const tokens = async () =>
      (await client.send(new ScanCommand({ TableName: tokenTables.to }))).Items?.length;

    const rehearsal = await restore("back", ...FILES);
    expect(rehearsal).toMatchObject({ code: 0, stderr: "" });
    expect(rehearsal.stdout).toContain("apiTokens: 1 items written, 1 removed");
    expect(await restore("back", ...FILES, "--go")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The stage runs. Deploy it with paused=yes"),
    });
    expect(await tokens()).toBe(2);

    writeOutputs("to", places().to, {
      Paused: "yes",
      SyncPointsTable: places().to.tables.syncPoints,
    });
    expect(secrets.texts).toEqual(["before", "first"]);
    for (const _ of [1, 2]) {
      expect(await restore("back", ...FILES, "--go")).toMatchObject({ code: 0, stderr: "" });
    }
    const [, , once, twice] = secrets.texts.map(readSigningText);
    const before = [
      { id: "v1", key: "first" },
      { id: "v0", key: "before" },
    ];
    expect(once).toMatchObject({ key: "first", former: before });
    expect(once?.life).toBeGreaterThan(1e14);
    expect(twice?.former.map(({ id }) => id)).toEqual(["v2", "v1", "v0"]);
    expect(twice?.life).not.toBe(once?.life);
    const { Items } = await client.send(new ScanCommand({ TableName: tokenTables.to }));
    expect(Items).toEqual([{ pk: { S: "hash" }, tenant: { S: "demo" } }]);
    client.destroy();
  });

  it("names what is wrong with its arguments and files, and copies nothing", async () => {
    expect(await restore("data", "--from", "from.json")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^ERROR: --to is missing: the outputs of the stage that/),
    });
    expect(await restore("everything", ...FILES)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("copies, back, keys or data is expected first"),
    });
    writeFileSync(join(folder, "bad.json"), JSON.stringify({ "Hearth-any": { Tables: "{}" } }));
    expect(await restore("data", "--from", "bad.json", "--to", "to.json")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^ERROR: bad\.json: .*BlobsBucket/s),
    });
    expect(await restore("data", "--from", "no.json", "--to", "to.json")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ERROR: no\.json: ENOENT/),
    });
  });
});
