/** Lambda entry: Heat's REST API behind API Gateway. */
import { handler as authorizer } from "#functions/authorizer/handler.ts";
import { iamTenantsSchema } from "#functions/authorizer/principal.ts";
import { withinAnswerLimit } from "#functions/aws/answer-limit.ts";
import { openTokens } from "#functions/aws/api-tokens.ts";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { watchedQueues } from "#functions/aws/watched-queues.ts";
import { askingAuthorizer } from "./ask-authorizer.ts";
import { handler as handle } from "./handler.ts";
import { knownCaller } from "./identity.ts";

const environment = ENVIRONMENTS.api.parse(process.env);
const engine = await bindEngine(environment, watchedQueues(environment));
const iamTenants = iamTenantsSchema.parse(JSON.parse(environment.IAM_TENANTS));

const settings = { revision: environment.REVISION };
const api = withinAnswerLimit(handle(engine.ports, settings, knownCaller(iamTenants)));

const { API_TOKENS_TABLE: table } = environment;
const { clock } = engine.ports;
const authorizerOf = (TableName: string) =>
  authorizer(openTokens(parsePlatform(process.env), TableName, clock), clock);

export const handler = engine.entry(
  table === undefined ? api : askingAuthorizer(authorizerOf(table), api),
);
