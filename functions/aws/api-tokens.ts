import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { cachedTokens } from "#functions/authorizer/token-store.ts";
import type { Clock, TokenStore } from "#lib/ports/ports.ts";
import { clientOptions } from "./client-options.ts";
import type { Platform } from "./environment.ts";

const tokenItem = z.object({
  tenant: z.object({ S: z.string() }),
  expiresAt: z.optional(z.object({ N: z.string() })),
  mayOnlyRead: z.optional(z.object({ BOOL: z.boolean() })),
  stack: z.optional(z.object({ S: z.string() })),
});

export const openTokens = (platform: Platform, TableName: string, clock: Clock): TokenStore => {
  const dynamo = new DynamoDBClient(clientOptions(platform));
  const get: TokenStore["get"] = async (hash) => {
    const { Item } = await dynamo.send(new GetItemCommand({ TableName, Key: { pk: { S: hash } } }));
    if (!Item) return null;
    const { tenant, expiresAt, mayOnlyRead, stack } = tokenItem.parse(Item);
    const rights = {
      ...(mayOnlyRead?.BOOL ? { mayOnlyRead: true } : {}),
      ...(stack ? { stack: stack.S } : {}),
    };
    return { tenant: tenant.S, expiresAt: expiresAt ? Number(expiresAt.N) : null, rights };
  };
  return cachedTokens({ get }, clock);
};
