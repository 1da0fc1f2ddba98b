import middy from "@middy/core";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as sweep } from "./handler.ts";

const engine = await bindEngine(ENVIRONMENTS.sweep.parse(process.env));

export const handler = middy(sweep(engine.ports, engine.meter)).use(engine.around);
