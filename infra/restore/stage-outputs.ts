import { readFileSync } from "node:fs";
import * as z from "zod";

/**
 * The tables that are backed up. Stacks come last, because the target's sweeper starts working as
 * soon as it finds them.
 */
export const RESTORED_TABLES = [
  "resources",
  "softwareConfigs",
  "events",
  "apiTokens",
  "stacks",
] as const;
export type RestoredTable = (typeof RESTORED_TABLES)[number];

const tablesSchema = z.record(z.enum(RESTORED_TABLES), z.string().min(1));

const tables = z.union([
  tablesSchema,
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(tablesSchema),
]);

const stageSchema = z.object({
  Tables: tables,
  BlobsBucket: z.string().min(1),
  SigningSecretArn: z.string().min(1),
  EncryptionSecretArn: z.string().min(1),
  SyncPointsTable: z.string().min(1).optional(),
  GivenUpQueueUrl: z.string().min(1).optional(),
  StreamFailuresQueueUrl: z.string().min(1).optional(),
  Paused: z.string().optional(),
  At: z.iso.datetime().optional(),
});
export type StageOutputs = z.infer<typeof stageSchema>;

const fileSchema = z.record(z.string(), z.unknown());

export const readOutputs = (path: string): StageOutputs => {
  try {
    const stages = Object.values(fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))));
    if (stages.length !== 1) throw new Error(`one stack is expected, and it has ${stages.length}`);
    return stageSchema.parse(stages[0]);
  } catch (error) {
    if (error instanceof z.ZodError) throw new Error(`${path}: ${z.prettifyError(error)}`);
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
};
