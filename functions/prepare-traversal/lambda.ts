/** Lambda entry: fed by the prepare queue. */
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as prepareTraversal } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS["prepare-traversal"].parse(process.env));

export const handler = engine.queueEntry(prepareTraversal(engine.ports, engine.meter));
