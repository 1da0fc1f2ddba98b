import middy from "@middy/core";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { bindVisits } from "../aws/aws-accounts.ts";
import { handler as checkResource } from "./handler.ts";

const engine = await bindVisits(ENVIRONMENTS["check-resource"].parse(process.env));

export const handler = middy(checkResource(engine.ports, engine.meter))
  .use(engine.around)
  .use(engine.ofQueue);
