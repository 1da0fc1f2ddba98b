import middy from "@middy/core";
import { openTokens } from "#functions/aws/api-tokens.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { nameInvocations } from "#functions/logger.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { handler as authorizer } from "./handler.ts";

const { API_TOKENS_TABLE } = ENVIRONMENTS.authorizer.parse(process.env);
const clock = systemClock();
const tokens = openTokens(parsePlatform(process.env), API_TOKENS_TABLE, clock);

export const handler = middy(authorizer(tokens, clock)).use(nameInvocations());
