/** Lambda entry: the tokens' table behind the authorizer. */
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { clientOptions } from "#functions/aws/client-options.ts";
import { lambdaEntry } from "#functions/aws/entry.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { handler as authorizer } from "./handler.ts";
import { cachedTokens } from "./token-store.ts";

const { API_TOKENS_TABLE } = ENVIRONMENTS.authorizer.parse(process.env);
const dynamo = new DynamoDBClient(clientOptions(parsePlatform(process.env)));
const clock = systemClock();

const tokenItem = z.object({
  tenant: z.object({ S: z.string() }),
  expiresAt: z.optional(z.object({ N: z.string() })),
});

const tokens = cachedTokens(
  {
    get: async (hash) => {
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: API_TOKENS_TABLE, Key: { pk: { S: hash } } }),
      );
      if (!Item) return null;
      const { tenant, expiresAt } = tokenItem.parse(Item);
      return { tenant: tenant.S, expiresAt: expiresAt ? Number(expiresAt.N) : null };
    },
  },
  clock,
);

export const handler = lambdaEntry(authorizer(tokens, clock));
