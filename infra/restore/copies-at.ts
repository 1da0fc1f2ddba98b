/**
 * Copies a stage's tables as they were at a second of the last 35 days. Such a copy has no stream,
 * no expiry and no recovery, so it can be a source but not replace a table of the stage.
 */
import {
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { RESTORED_TABLES, type RestoredTable, type StageOutputs } from "./stage-outputs.ts";

/**
 * The time depends on the size of the table. If the wait is interrupted, call the command again.
 */
const COPY_SECONDS_MAX = 24 * 3_600;

const nameOf = (table: string, at: Date): string =>
  `${table}-at-${at.toISOString().replaceAll(/[:.]/g, "-")}`;

const copyAt = async (
  dynamo: DynamoDBClient,
  SourceTableName: string,
  at: Date,
): Promise<string> => {
  const TargetTableName = nameOf(SourceTableName, at);
  const command = { SourceTableName, TargetTableName, RestoreDateTime: at };
  try {
    await dynamo.send(new RestoreTableToPointInTimeCommand(command));
  } catch (error) {
    if (!(error instanceof TableAlreadyExistsException)) throw error;
  }
  const waiting = { client: dynamo, maxWaitTime: COPY_SECONDS_MAX };
  await waitUntilTableExists(waiting, { TableName: TargetTableName });
  return TargetTableName;
};

export const copiesAt = async (
  dynamo: DynamoDBClient,
  { Tables }: StageOutputs,
  at: Date,
): Promise<Readonly<Record<RestoredTable, string>>> => {
  const copies = await Promise.all(
    RESTORED_TABLES.map((table) => copyAt(dynamo, Tables[table], at)),
  );
  const [resources = "", softwareConfigs = "", events = "", apiTokens = "", stacks = ""] = copies;
  return { resources, softwareConfigs, events, apiTokens, stacks };
};
