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

const DAY_SECONDS = 86_400;
const DAYS_MAX = 3_650;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

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

const readOptions = (args: string[]): Options | string => {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      args,
      options: {
        table: text,
        project: text,
        days: text,
        revoke: text,
        "read-only": { type: "boolean" },
        stack: text,
      },
    });
    const parsed = optionsSchema.safeParse(values);
    return parsed.success
      ? parsed.data
      : parsed.error.issues.map(({ message }) => message).join("\n");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

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

const failureText = (error: unknown, table: string): string => {
  if (error instanceof ResourceNotFoundException) {
    return `There is no table ${table} in this account and region: --table is the ApiTokensTable of the deployment's outputs.`;
  }
  return error instanceof Error ? error.message : String(error);
};

export const apiToken = async (args: string[]): Promise<number> => {
  if (args.includes("--help")) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = readOptions(args);
  if (typeof options === "string") {
    process.stderr.write(`ERROR: ${options}\n${USAGE}`);
    return EXIT_USAGE;
  }
  const { table, revoke: revoked } = options;
  const dynamo = new DynamoDBClient({});
  try {
    if (revoked !== undefined) await revoke(dynamo, table, revoked);
    else await make(dynamo, table, options);
    return 0;
  } catch (error) {
    process.stderr.write(`ERROR: ${failureText(error, table)}\n`);
    return EXIT_FAILED;
  } finally {
    dynamo.destroy();
  }
};
