import middy from "@middy/core";
import { awsSchemas } from "#functions/aws/aws-schemas.ts";
import { bindEngine } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as prepareTraversal } from "./handler.ts";

const environment = ENVIRONMENTS["prepare-traversal"].parse(process.env);
const provided = environment.AWS_TYPES && awsSchemas;
const engine = await bindEngine(environment, { provided });

export const handler = middy(prepareTraversal(engine.ports, engine.meter))
  .use(engine.around)
  .use(engine.ofQueue);
