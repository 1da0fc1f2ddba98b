import middy from "@middy/core";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { pollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { handler as agentPolls } from "./handler.ts";

const environment = ENVIRONMENTS["agent-polls"].parse(process.env);
const engine = await bindEngine(environment);
const memory = pollMemory(engine.ports.ids.fresh());

export const handler = middy(agentPolls(engine.ports, memory, environment.POLL_URL)).use(
  engine.around,
);
