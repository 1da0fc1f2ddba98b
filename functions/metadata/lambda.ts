/** Lambda entry: agents' polls behind API Gateway. */
import { withinAnswerLimit } from "#functions/aws/answer-limit.ts";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { pollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { handler as metadata } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.metadata.parse(process.env));
const memory = pollMemory(engine.ports.ids.fresh());

export const handler = engine.entry(withinAnswerLimit(metadata(engine.ports, memory)));
