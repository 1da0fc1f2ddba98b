/**
 * `hearth aws restore copies --to FILE --at TIME` copies a stage's tables as they were at that
 * time, and prints a file that names the copies. `hearth aws restore back --from FILE --to FILE`
 * restores them to the stage. For a fresh stage, `keys` copies the secrets, and then `data` copies
 * the data. The other files are those of `cdk deploy --outputs-file`. Exit codes: 0 done, 1 refused
 * or failed, 2 bad usage.
 */
import { parseArgs } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { copyBucket } from "./restore/bucket.ts";
import { beginLife, copySecret } from "./restore/secrets.ts";
import { RESTORED_TABLES, readOutputs, type StageOutputs } from "./restore/stage-outputs.ts";
import { copiesAt, copyTable, countStacks, putBack, undelete } from "./restore/tables.ts";
import { run } from "./usage.ts";

const USAGE = `hearth aws restore copies --to FILE --at TIME > FROM
hearth aws restore back --from FILE --to FILE [--go]
hearth aws restore keys --from FILE --to FILE
hearth aws restore data --from FILE --to FILE [--again]
`;

const to = z.string("--to is missing: the outputs of the stage that gets the data");
const from = z.string("--from is missing: the outputs of the stage to be restored, or its copies");
const usageSchema = z.discriminatedUnion(
  "step",
  [
    z.object({
      step: z.literal("copies"),
      to,
      at: z.iso.datetime("--at: a time is expected, such as 2026-11-29T02:30:00Z"),
    }),
    z.object({ step: z.literal("back"), from, to, go: z.boolean().default(false) }),
    z.object({ step: z.literal("keys"), from, to }),
    z.object({ step: z.literal("data"), from, to, again: z.boolean().default(false) }),
  ],
  "copies, back, keys or data is expected first",
);
type Usage = z.infer<typeof usageSchema>;

const usageIn = (args: string[]): unknown => {
  const file = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { from: file, to: file, at: file, again: flag, go: flag };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length > 1) throw new Error(`${positionals[1]} is not expected`);
  return { ...values, step: positionals[0] };
};

const restoreKeys = async (from: StageOutputs, to: StageOutputs): Promise<void> => {
  const secrets = new SecretsManagerClient({});
  for (const name of ["EncryptionSecretArn", "SigningSecretArn"] as const) {
    const versions = await copySecret(secrets, from[name], to[name]);
    console.log(`${name}: ${versions} versions written`);
  }
  await beginLife(secrets, to.SigningSecretArn, Date.now());
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

const restoreCopies = async (stage: StageOutputs, At: string): Promise<void> => {
  const Tables = await copiesAt(new DynamoDBClient({}), stage, new Date(At));
  const { BlobsBucket, SigningSecretArn, EncryptionSecretArn } = stage;
  const copies = { Tables, BlobsBucket, SigningSecretArn, EncryptionSecretArn, At };
  console.log(JSON.stringify({ copies }, null, 2));
};

const restoreBack = async (
  from: StageOutputs,
  to: StageOutputs,
  isReal: boolean,
): Promise<void> => {
  if (isReal && to.Paused !== "yes") {
    throw new Error("The stage runs. Deploy it with paused=yes, and give the new outputs as --to.");
  }
  const dynamo = new DynamoDBClient({});
  if (from.At !== undefined && from.BlobsBucket === to.BlobsBucket) {
    const s3 = new S3Client({ forcePathStyle: true });
    const objects = await undelete(s3, to.BlobsBucket, new Date(from.At), isReal);
    console.log(`objects: ${objects} undeleted`);
  }
  if (isReal) await beginLife(new SecretsManagerClient({}), to.SigningSecretArn, Date.now());
  const points = to.SyncPointsTable;
  const tables = RESTORED_TABLES.map((name) => [name, from.Tables[name], to.Tables[name]] as const);
  const emptied = points === undefined ? [] : [["syncPoints", null, points] as const];
  for (const [name, copy, table] of [...emptied, ...tables]) {
    const { written, removed } = await putBack(dynamo, copy, table, isReal);
    console.log(`${name}: ${written} items written, ${removed} removed`);
  }
  console.log(
    isReal
      ? "Deploy the stage with another revision and without paused."
      : "This was a rehearsal, and nothing has changed. Add --go to a stage with paused=yes.",
  );
};

const play = async (usage: Usage): Promise<number> => {
  const to = readOutputs(usage.to);
  if (usage.step === "copies") await restoreCopies(to, usage.at);
  else {
    const from = readOutputs(usage.from);
    if (usage.step === "back") await restoreBack(from, to, usage.go);
    else if (usage.step === "keys") await restoreKeys(from, to);
    else await restoreData(from, to, usage.again);
  }
  return 0;
};

export const restore = (args: string[]): Promise<number> =>
  run({ help: USAGE, schema: usageSchema, given: () => usageIn(args), play });
