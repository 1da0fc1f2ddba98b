import middy from "@middy/core";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { answerLimit } from "#functions/middleware/answer-limit.ts";
import { pollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { handler as metadata } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.metadata.parse(process.env));
const memory = pollMemory(engine.ports.ids.fresh());

export const handler = middy(metadata(engine.ports, memory)).use(engine.around).use(answerLimit());
