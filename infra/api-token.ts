/**
 * `hearth aws api-token --table NAME --project NAME [--days N]` makes an API token for a project.
 * `--read-only` and `--stack NAME` limit its rights. The token is printed once, and only its hash
 * is stored. `--revoke TOKEN` removes a token. Exit codes: 0 done, 1 the table refused, 2 bad
 * usage.
 */
import { parseArgs } from "node:util";
import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { freshToken, tokenHash } from "#functions/authorizer/credential.ts";
import { TENANT } from "#lib/api/tenant.ts";
import { run } from "./usage.ts";

const DAY_SECONDS = 86_400;
const DAYS_MAX = 3_650;

const USAGE = `hearth aws api-token --table NAME --project NAME [--days N] [--read-only] [--stack NAME]
hearth aws api-token --table NAME --revoke TOKEN
`;

const optionsSchema = z
  .object({
    table: z.string("--table is missing: the ApiTokensTable of the deployment's outputs"),
    project: z
      .string()
      .regex(
        TENANT,
        "--project: letters, digits and _.@- after a first letter or digit are expected",
      )
      .optional(),
    days: z
      .string()
      .transform(Number)
      .pipe(
        z
          .int(`--days: a whole number from 1 to ${DAYS_MAX} is expected`)
          .min(1, `--days: at least 1`)
          .max(DAYS_MAX, `--days: at most ${DAYS_MAX}`),
      )
      .optional(),
    revoke: z.string().optional(),
    "read-only": z.boolean().optional(),
    stack: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,254}$/, "--stack: the name of a stack is expected")
      .optional(),
  })
  .refine(
    ({ project, revoke }) => (project === undefined) !== (revoke === undefined),
    "Either --project or --revoke is needed",
  );
type Options = z.infer<typeof optionsSchema>;

const TEXT = { type: "string" } as const;
const GIVEN = {
  table: TEXT,
  project: TEXT,
  days: TEXT,
  revoke: TEXT,
  "read-only": { type: "boolean" },
  stack: TEXT,
} as const;

const make = async (
  dynamo: DynamoDBClient,
  TableName: string,
  { project, days, stack, "read-only": readOnly }: Options,
): Promise<void> => {
  const token = freshToken();
  const ends = Math.floor(Date.now() / 1_000) + (days ?? 0) * DAY_SECONDS;
  const expiry =
    days === undefined ? {} : { expiresAt: { N: String(ends * 1_000) }, ttl: { N: String(ends) } };
  const rights = {
    ...(readOnly ? { mayOnlyRead: { BOOL: true } } : {}),
    ...(stack === undefined ? {} : { stack: { S: stack } }),
  };
  const tenant = { S: project ?? "" };
  const Item = { pk: { S: tokenHash(token) }, tenant, ...expiry, ...rights };
  await dynamo.send(new PutItemCommand({ TableName, Item }));
  console.log(token);
};

/** Fails if the token does not exist. After a typing error the real token would stay valid. */
const revoke = async (dynamo: DynamoDBClient, TableName: string, token: string): Promise<void> => {
  const Key = { pk: { S: tokenHash(token) } };
  const { Attributes } = await dynamo.send(
    new DeleteItemCommand({ TableName, Key, ReturnValues: "ALL_OLD" }),
  );
  if (Attributes === undefined) throw new Error(`There is no such token in ${TableName}.`);
  console.log(`Revoked a token of the project ${Attributes["tenant"]?.S ?? "(unknown)"}.`);
};

/** Says of a missing table where its name comes from. */
const explained = (error: unknown, table: string): unknown =>
  error instanceof ResourceNotFoundException
    ? new Error(
        `There is no table ${table} in this account and region: --table is the ApiTokensTable of the deployment's outputs.`,
        { cause: error },
      )
    : error;

const play = async (options: Options): Promise<number> => {
  const { table, revoke: revoked } = options;
  const dynamo = new DynamoDBClient({});
  try {
    if (revoked !== undefined) await revoke(dynamo, table, revoked);
    else await make(dynamo, table, options);
    return 0;
  } catch (error) {
    throw explained(error, table);
  } finally {
    dynamo.destroy();
  }
};

export const apiToken = async (args: string[]): Promise<number> => {
  if (args.includes("--help")) {
    process.stdout.write(USAGE);
    return 0;
  }
  const given = (): unknown => parseArgs({ args, options: GIVEN }).values;
  return run({ help: USAGE, schema: optionsSchema, given, play });
};
