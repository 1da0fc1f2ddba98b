import middy from "@middy/core";
import { checkedTypes } from "#functions/aws/aws-schemas.ts";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as prepareTraversal } from "./handler.ts";

const environment = ENVIRONMENTS["prepare-traversal"].parse(process.env);
const engine = await bindEngine(environment, { provided: checkedTypes(environment) });

export const handler = middy(prepareTraversal(engine.ports, engine.meter))
  .use(engine.around)
  .use(engine.ofQueue);
