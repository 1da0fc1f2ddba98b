/** Lambda entry: the tokens' table behind the authorizer. */
import { openTokens } from "#functions/aws/api-tokens.ts";
import { lambdaEntry } from "#functions/aws/entry.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { handler as authorizer } from "./handler.ts";

const { API_TOKENS_TABLE } = ENVIRONMENTS.authorizer.parse(process.env);
const clock = systemClock();
const tokens = openTokens(parsePlatform(process.env), API_TOKENS_TABLE, clock);

export const handler = lambdaEntry(authorizer(tokens, clock));
