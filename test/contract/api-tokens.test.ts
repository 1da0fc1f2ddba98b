import {
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTokens } from "#functions/aws/api-tokens.ts";
import { parsePlatform } from "#functions/aws/environment.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { type SqliteTokens, sqliteTokens, TOKENS_MAX } from "#lib/adapters/sqlite/api-tokens.ts";
import { type Database, IN_MEMORY, openDatabase } from "#lib/adapters/sqlite/database.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";
import { apiTokensContract, type OpenedTokens } from "./api-tokens.contract.ts";
import { emptyDynamo, listen } from "./aws-emulators.ts";

const TABLE = "ApiTokens";
const server = emptyDynamo();
const KEYS = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", AWS_REGION: "us-east-1" };
let dynamo: DynamoDBClient;
let cloud: OpenedTokens["tokens"];

beforeAll(async () => {
  const endpoint = await listen(server);
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  dynamo = new DynamoDBClient({ endpoint, region: KEYS.AWS_REGION, credentials });
  await dynamo.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    }),
  );
  Object.assign(process.env, KEYS);
  cloud = openTokens(parsePlatform({ ...KEYS, AWS_ENDPOINT_URL: endpoint }), TABLE, memoryClock());
});
afterAll(() => {
  dynamo.destroy();
  server.closeAllConnections();
  server.close();
});

apiTokensContract("DynamoDB", () => ({
  tokens: cloud,
  put: async (hash, { tenant, expiresAt, rights: { mayOnlyRead, stack } }) => {
    const end = expiresAt === null ? {} : { expiresAt: { N: String(expiresAt) } };
    const rights = {
      ...(mayOnlyRead === undefined ? {} : { mayOnlyRead: { BOOL: mayOnlyRead } }),
      ...(stack === undefined ? {} : { stack: { S: stack } }),
    };
    const Item = { pk: { S: hash }, tenant: { S: tenant }, ...end, ...rights };
    await dynamo.send(new PutItemCommand({ TableName: TABLE, Item }));
  },
  remove: async (hash) => {
    await dynamo.send(new DeleteItemCommand({ TableName: TABLE, Key: { pk: { S: hash } } }));
  },
}));

const openSqliteTokens = (): { tokens: SqliteTokens; database: Database } => {
  const database = openDatabase(IN_MEMORY, "hearth.db", SCHEMA);
  return { tokens: sqliteTokens(database), database };
};

apiTokensContract("SQLite", () => {
  const { tokens } = openSqliteTokens();
  return {
    tokens,
    put: async (hash, record) => void tokens.add({ hash, ...record, createdAt: 0 }),
    remove: async (hash) => void tokens.remove(hash),
  };
});

describe("the tokens of a data folder", () => {
  const token = (hash: string, tenant: string, expiresAt: number | null) =>
    ({ hash, tenant, createdAt: 1, expiresAt, rights: {} }) as const;

  it("are listed while they live, by project", () => {
    const { tokens } = openSqliteTokens();
    expect(tokens.hasLive(100)).toBe(false);
    for (const one of [token("b", "two", null), token("a", "one", 101), token("c", "one", 100)])
      expect(tokens.add(one)).toBe(true);
    expect(tokens.listLive(100).map(({ hash }) => hash)).toEqual(["a", "b"]);
    expect(tokens.hasLive(1_000)).toBe(true);
    expect([tokens.remove("b"), tokens.remove("b")]).toEqual([true, false]);
    expect(tokens.hasLive(1_000)).toBe(false);
  });

  it("are bounded in number", () => {
    const { tokens, database } = openSqliteTokens();
    database.atomically(() => {
      for (let made = 0; made < TOKENS_MAX; made += 1)
        expect(tokens.add(token(`h${made}`, "demo", null))).toBe(true);
    });
    expect(tokens.add(token("one more", "demo", null))).toBe(false);
    tokens.remove("h0");
    expect(tokens.add(token("one more", "demo", null))).toBe(true);
  });
});
