import { spawn } from "node:child_process";
import { once } from "node:events";
import { CreateTableCommand, DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenHash } from "#functions/authorizer/credential.ts";
import { HEARTH } from "../hearth-program.ts";
import { emptyDynamo, listen } from "./aws-emulators.ts";

const TABLE = "ApiTokens";
const KEYS = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", AWS_REGION: "us-east-1" };

const server = emptyDynamo();
let endpoint = "";
const variables = () => ({ ...KEYS, AWS_ENDPOINT_URL_DYNAMODB: endpoint });
const dynamo = () =>
  new DynamoDBClient({
    endpoint,
    region: KEYS.AWS_REGION,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });

beforeAll(async () => {
  endpoint = await listen(server);
  const client = dynamo();
  await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    }),
  );
  client.destroy();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const apiToken = async (...args: readonly string[]) => {
  const child = spawn(process.execPath, [HEARTH, "aws", "api-token", ...args], {
    env: { PATH: process.env["PATH"], ...variables() },
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

const items = async () => {
  const client = dynamo();
  const { Items = [] } = await client.send(new ScanCommand({ TableName: TABLE }));
  client.destroy();
  return Items;
};

describe("an API token", () => {
  it("is printed once, stored as a hash, and revoked by the printed text", async () => {
    const made = await apiToken("--table", TABLE, "--project", "demo", "--days", "2");
    expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^\S{43}\n$/), stderr: "" });
    const token = made.stdout.trim();
    expect(await items()).toEqual([
      expect.objectContaining({ pk: { S: tokenHash(token) }, tenant: { S: "demo" } }),
    ]);
    const other = await apiToken("--table", TABLE, "--revoke", "another");
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/no such token/) });
    expect((await items()).length).toBe(1);
    expect(await apiToken("--table", TABLE, "--revoke", token)).toEqual({
      code: 0,
      stdout: "Revoked a token of the project demo.\n",
      stderr: "",
    });
    expect(await items()).toEqual([]);
  });

  it("is not created by a wrong command line, and the error says why", async () => {
    const wrong = [
      [[], "--table is missing"],
      [["--table", TABLE], "Either --project or --revoke"],
      [["--table", TABLE, "--project", "a", "--revoke", "b"], "Either --project or --revoke"],
      [["--table", TABLE, "--project", "a/b"], "--project: letters"],
      [["--table", TABLE, "--project", "a", "--days", "soon"], "--days: a whole number"],
      [["--tabel", TABLE], "Unknown option '--tabel'"],
    ] as const;
    for (const [args, text] of wrong) {
      const { code, stdout, stderr } = await apiToken(...args);
      expect([code, stdout], text).toEqual([2, ""]);
      expect(stderr).toContain(`ERROR: ${text}`);
      expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
    }
    expect(await items()).toEqual([]);
  });

  it("has a page of help", async () => {
    const usage = /^hearth aws api-token --table NAME --project NAME/;
    expect(await apiToken("--help")).toEqual({
      code: 0,
      stdout: expect.stringMatching(usage),
      stderr: "",
    });
  });

  it("is not created without its table, and the error names the table", async () => {
    const { code, stderr } = await apiToken("--table", "ApiToken", "--project", "demo");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ERROR: There is no table ApiToken in this account and region: .*\n$/);
  });
});
