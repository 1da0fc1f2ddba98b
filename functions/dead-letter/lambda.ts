/** Lambda entry: fed by the dead-letter queues. */
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as deadLetter } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS["dead-letter"].parse(process.env));

export const handler = engine.entry(deadLetter(engine.ports, engine.meter));
