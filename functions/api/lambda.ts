/** Lambda entry: Heat's REST API behind API Gateway. */
import { bindEngine } from "#functions/cloud/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/cloud/environment.ts";
import { handler as api } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.api.parse(process.env));

export const handler = engine.entry(api(engine.ports));
