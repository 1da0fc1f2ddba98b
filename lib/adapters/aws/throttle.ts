/**
 * One small item for each tenant and window, in a separate table. So the function that counts needs
 * no permission to write anything else.
 */
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import type { Throttle } from "#lib/ports/ports.ts";
import { type AwsConnection, openClients } from "./clients.ts";
import { TTL_ATTRIBUTE } from "./tables.ts";

/**
 * A request waits for its count, and continues without it if that takes too long. A second try may
 * count the request twice, which does no harm.
 */
const ATTEMPTS_MAX = 2;
const REQUEST_MS_MAX = 1_000;
const COUNT_KEPT_MS = 3_600_000;

const countedItem = z.object({
  requests: z.object({ N: z.string().regex(/^[0-9]+$/) }).transform(({ N }) => Number(N)),
});

export interface AwsThrottle extends Throttle {
  close(): void;
}

export const openThrottle = (connection: AwsConnection, TableName: string): AwsThrottle => {
  const { dynamo, close } = openClients({
    attemptsMax: ATTEMPTS_MAX,
    requestMsMax: REQUEST_MS_MAX,
    ...connection,
  });
  return {
    close,
    count: async (tenant, windowStart, expiresAt) => {
      const { Attributes } = await dynamo.send(
        new UpdateItemCommand({
          TableName,
          Key: { pk: { S: `${windowStart}#${tenant}` } },
          UpdateExpression: "SET #ttl = :ttl ADD #requests :one",
          ExpressionAttributeNames: { "#ttl": TTL_ATTRIBUTE, "#requests": "requests" },
          ExpressionAttributeValues: {
            ":ttl": { N: String(Math.ceil((expiresAt + COUNT_KEPT_MS) / 1_000)) },
            ":one": { N: "1" },
          },
          ReturnValues: "UPDATED_NEW",
        }),
      );
      return countedItem.parse(Attributes).requests;
    },
  };
};
