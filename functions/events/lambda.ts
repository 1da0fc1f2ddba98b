/** Lambda entry: fed by the streams of the stacks' and the resources' tables. */
import { openStore, retentionIn } from "#functions/aws/bind-ports.ts";
import { lambdaEntry } from "#functions/aws/entry.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as events } from "./handler.ts";

const environment = ENVIRONMENTS.events.parse(process.env);

export const handler = lambdaEntry(
  events({ ...openStore(environment), retention: retentionIn(environment) }),
);
