/**
 * `npm run api-token -- --table NAME --project NAME [--days N]`: makes an API token for a project and
 * prints it, once: only its hash is kept. `--revoke TOKEN` takes one away.
 */
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { tokenHash } from "#functions/authorizer/credential.ts";

const TOKEN_BYTES = 32;
const DAY_SECONDS = 86_400;
const DAYS_MAX = 3_650;

const { values } = parseArgs({
  options: {
    table: { type: "string" },
    project: { type: "string" },
    days: { type: "string" },
    revoke: { type: "string" },
  },
});
const options = z
  .object({
    table: z.string({ error: "--table is the ApiTokensTable of the deployment's outputs" }),
    project: z.optional(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,254}$/)),
    days: z.optional(z.coerce.number().int().min(1).max(DAYS_MAX)),
    revoke: z.optional(z.string()),
  })
  .parse(values);

const dynamo = new DynamoDBClient({});
const TableName = options.table;

const make = async (project: string): Promise<void> => {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const ends = Math.floor(Date.now() / 1_000) + (options.days ?? 0) * DAY_SECONDS;
  const expiry =
    options.days === undefined
      ? {}
      : { expiresAt: { N: String(ends * 1_000) }, ttl: { N: String(ends) } };
  const Item = { pk: { S: tokenHash(token) }, tenant: { S: project }, ...expiry };
  await dynamo.send(new PutItemCommand({ TableName, Item }));
  console.log(token);
};

if (options.revoke !== undefined) {
  const Key = { pk: { S: tokenHash(options.revoke) } };
  await dynamo.send(new DeleteItemCommand({ TableName, Key }));
} else if (options.project !== undefined) {
  await make(options.project);
} else {
  throw new Error("--project or --revoke is needed");
}
