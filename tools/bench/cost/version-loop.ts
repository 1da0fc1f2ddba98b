/**
 * Heat's way of filling a SyncPoint, for comparison: read the item, add the data, and write it back
 * if the version is unchanged. Otherwise wait a random time and start again. With 1,000
 * predecessors this takes minutes.
 */
import { randomUUID } from "node:crypto";
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import { type FanInCost, inParallel, WORKERS } from "./fan-in.ts";

const WAIT_MS_MAX = 10;

/**
 * The units are a lower bound: a rejected write is billed by the size of the item, which no answer
 * contains.
 */
export const versionLoop = async (
  { endpoint, ...options }: AwsConnection,
  place: AwsPlace,
  fanIn: number,
): Promise<FanInCost> => {
  const client = new DynamoDBClient({
    ...options,
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint.dynamodb }),
  });
  const TableName = place.tables.syncPoints;
  const Key = { pk: { S: randomUUID() }, sk: { S: "#" } };
  const cost = { reads: 0, writes: 0, writeUnits: 0, fired: 0 };
  const once = async (at: number): Promise<boolean> => {
    cost.reads++;
    const { Item } = await client.send(
      new GetItemCommand({ TableName, Key, ConsistentRead: true }),
    );
    const data = { ...Item?.["data"]?.M, [`leaf_${at}`]: { S: randomUUID() } };
    const version = Number(Item?.["version"]?.N ?? 0);
    cost.writes++;
    try {
      const { ConsumedCapacity } = await client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: "SET #data = :data, #version = :next",
          ConditionExpression: "attribute_not_exists(#version) OR #version = :version",
          ExpressionAttributeNames: { "#data": "data", "#version": "version" },
          ExpressionAttributeValues: {
            ":data": { M: data },
            ":version": { N: String(version) },
            ":next": { N: String(version + 1) },
          },
          ReturnConsumedCapacity: "TOTAL",
        }),
      );
      cost.writeUnits += ConsumedCapacity?.CapacityUnits ?? 0;
      if (Object.keys(data).length === fanIn) cost.fired++;
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      cost.writeUnits++;
      return false;
    }
  };
  await inParallel(fanIn, async (at) => {
    while (!(await once(at)))
      await new Promise((resolve) => setTimeout(resolve, Math.random() * WAIT_MS_MAX * WORKERS));
  });
  client.destroy();
  return cost;
};
