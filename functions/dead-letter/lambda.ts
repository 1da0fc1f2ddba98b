import middy from "@middy/core";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { bindVisits } from "../aws/aws-accounts.ts";
import { handler as deadLetter } from "./handler.ts";

const engine = await bindVisits(ENVIRONMENTS["dead-letter"].parse(process.env));

export const handler = middy(deadLetter(engine.ports, engine.meter)).use(engine.around);
