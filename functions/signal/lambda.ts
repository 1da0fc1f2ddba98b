/** Lambda entry: agents' signals behind API Gateway. */
import { bindEngine } from "#functions/cloud/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/cloud/environment.ts";
import { handler as signal } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.signal.parse(process.env));

export const handler = engine.entry(signal(engine.ports));
