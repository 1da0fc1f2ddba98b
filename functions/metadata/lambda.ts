/** Lambda entry: agents' polls behind API Gateway. */
import { withinAnswerLimit } from "#functions/cloud/answer-limit.ts";
import { bindEngine } from "#functions/cloud/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/cloud/environment.ts";
import { handler as metadata } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.metadata.parse(process.env));

export const handler = engine.entry(withinAnswerLimit(metadata(engine.ports)));
