import middy from "@middy/core";
import { handler as authorizer } from "#functions/authorizer/handler.ts";
import { iamTenantsSchema } from "#functions/authorizer/principal.ts";
import { openTokens } from "#functions/aws/api-tokens.ts";
import { checkedTypes } from "#functions/aws/aws-schemas.ts";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { answerLimit } from "#functions/middleware/answer-limit.ts";
import { askAuthorizer } from "#functions/middleware/ask-authorizer.ts";
import { openThrottle } from "#lib/adapters/aws/throttle.ts";
import { tenantRatesSchema } from "#lib/api/request-limit.ts";
import { parseJson } from "#lib/json.ts";
import { watchedQueues } from "../aws/bind-ports.ts";
import { loggedLimit } from "./around-requests.ts";
import { handler as handle } from "./handler.ts";
import { knownCaller } from "./identity.ts";

const environment = ENVIRONMENTS.api.parse(process.env);
const engine = await bindEngine(environment, {
  watchedQueues: watchedQueues(environment),
  provided: checkedTypes(environment),
});
const iamTenants = iamTenantsSchema.parse(parseJson(environment.IAM_TENANTS));

const platform = parsePlatform(process.env);
const { clock } = engine.ports;
const throttle = openThrottle(platform, environment.THROTTLE_TABLE);
const rates = tenantRatesSchema.parse(parseJson(environment.TENANT_RATES));
const limit = loggedLimit(throttle, clock, rates);

const settings = { revision: environment.REVISION };
const api = handle(engine.ports, settings, knownCaller(iamTenants), limit);

const { API_TOKENS_TABLE: table } = environment;
const authorizerOf = (TableName: string) =>
  authorizer(openTokens(platform, TableName, clock), clock);

export const handler = middy(
  table === undefined ? api : middy(api).use(askAuthorizer(authorizerOf(table))),
)
  .use(engine.around)
  .use(answerLimit());
