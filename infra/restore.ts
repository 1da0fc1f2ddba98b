/**
 * `hearth aws restore keys --from FILE --to FILE` gives a fresh stage the secrets of another.
 * `hearth aws restore data …` then copies the tables and the bucket. The files are those of `cdk
 * deploy --outputs-file`. Exit codes: 0 done, 1 refused or failed, 2 bad usage.
 */
import { parseArgs } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { copyBucket } from "./restore/copy-bucket.ts";
import { copySecret } from "./restore/copy-secret.ts";
import { copyTable, countStacks } from "./restore/copy-table.ts";
import { RESTORED_TABLES, readOutputs, type StageOutputs } from "./restore/stage-outputs.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const USAGE = `hearth aws restore keys --from FILE --to FILE
hearth aws restore data --from FILE --to FILE [--again]
`;

const usageSchema = z.object({
  step: z.enum(["keys", "data"], "keys or data is expected first"),
  from: z.string("--from is missing: the outputs of the stage to be restored"),
  to: z.string("--to is missing: the outputs of the fresh stage"),
  again: z.boolean().default(false),
});
type Usage = z.infer<typeof usageSchema>;

/** Returns the text for standard error if the arguments are wrong. */
const readUsage = (args: string[]): Usage | string => {
  try {
    const file = { type: "string" } as const;
    const options = { from: file, to: file, again: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length > 1) return `${positionals[1]} is not expected`;
    const parsed = usageSchema.safeParse({ ...values, step: positionals[0] });
    if (parsed.success) return parsed.data;
    return parsed.error.issues.map(({ message }) => message).join("\n");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const restoreKeys = async (from: StageOutputs, to: StageOutputs): Promise<void> => {
  const secrets = new SecretsManagerClient({});
  for (const name of ["EncryptionSecretArn", "SigningSecretArn"] as const) {
    const versions = await copySecret(secrets, from[name], to[name]);
    console.log(`${name}: ${versions} versions written`);
  }
  console.log("Deploy the fresh stage with another revision before you restore the data.");
};

const restoreData = async (from: StageOutputs, to: StageOutputs, again: boolean): Promise<void> => {
  const dynamo = new DynamoDBClient({});
  // An emulator has no host name for each bucket.
  const s3 = new S3Client({ forcePathStyle: true });
  const present = await countStacks(dynamo, to.Tables.stacks);
  if (present > 0 && !again) {
    throw new Error(
      `${to.Tables.stacks} holds ${present} stacks. If they are from an interrupted run, add --again.`,
    );
  }
  console.log(`objects: ${await copyBucket(s3, from.BlobsBucket, to.BlobsBucket)} copied`);
  for (const table of RESTORED_TABLES) {
    const items = await copyTable(dynamo, from.Tables[table], to.Tables[table]);
    console.log(`${table}: ${items} items copied`);
  }
};

export const restore = async (args: string[]): Promise<number> => {
  const usage = readUsage(args);
  if (typeof usage === "string") {
    process.stderr.write(`ERROR: ${usage}\n${USAGE}`);
    return EXIT_USAGE;
  }
  try {
    const [from, to] = [readOutputs(usage.from), readOutputs(usage.to)];
    if (usage.step === "keys") await restoreKeys(from, to);
    else await restoreData(from, to, usage.again);
    return 0;
  } catch (error) {
    process.stderr.write(`ERROR: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_FAILED;
  }
};
