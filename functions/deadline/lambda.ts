import middy from "@middy/core";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as deadline } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.deadline.parse(process.env));

export const handler = middy(deadline(engine.ports)).use(engine.around);
