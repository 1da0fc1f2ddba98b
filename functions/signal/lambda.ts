import middy from "@middy/core";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as signal } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.signal.parse(process.env));

export const handler = middy(signal(engine.ports)).use(engine.around);
