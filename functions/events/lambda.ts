/** Lambda entry: fed by the streams of the stacks' and the resources' tables. */
import { openStore, retentionIn } from "#functions/aws/bind-ports.ts";
import { lambdaEntry } from "#functions/aws/entry.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as events } from "./handler.ts";

const environment = ENVIRONMENTS.events.parse(process.env);
const { spilled, ...store } = openStore(environment);

export const handler = lambdaEntry(
  events({ ...store, retention: retentionIn(environment) }, spilled),
);
