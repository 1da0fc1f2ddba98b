import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { clientOptions } from "#lib/adapters/aws/clients.ts";
import type { Clock, TokenRecord, TokenStore } from "#lib/ports/ports.ts";
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

/** How long a warm worker may still accept a revoked token. */
const CACHED_MS_MAX = 60_000;
const CACHED_TOKENS_MAX = 1_000;

/** Only hits are cached, so a new token works at once. */
export const cachedTokens = (store: TokenStore, clock: { now(): number }): TokenStore => {
  const known = new Map<string, { readonly record: TokenRecord; readonly until: number }>();
  return {
    get: async (hash) => {
      const cached = known.get(hash);
      if (cached && cached.until > clock.now()) return cached.record;
      const record = await store.get(hash);
      if (known.size >= CACHED_TOKENS_MAX) known.clear();
      if (record === null) known.delete(hash);
      else known.set(hash, { record, until: clock.now() + CACHED_MS_MAX });
      return record;
    },
  };
};
