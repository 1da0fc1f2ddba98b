/** Lambda entry: Heat's REST API behind API Gateway. */
import { iamTenantsSchema } from "#functions/authorizer/principal.ts";
import { withinAnswerLimit } from "#functions/aws/answer-limit.ts";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { watchedQueues } from "#functions/aws/watched-queues.ts";
import { handler as api } from "./handler.ts";
import { knownCaller } from "./identity.ts";

const environment = ENVIRONMENTS.api.parse(process.env);
const engine = await bindEngine(environment, watchedQueues(environment));
const iamTenants = iamTenantsSchema.parse(JSON.parse(environment.IAM_TENANTS));

const settings = { revision: environment.REVISION };

export const handler = engine.entry(
  withinAnswerLimit(api(engine.ports, settings, knownCaller(iamTenants))),
);
