/** Lambda entry: fed by the streams of the stacks' and the resources' tables. */
import { openStore } from "#functions/cloud/bind-ports.ts";
import { lambdaEntry } from "#functions/cloud/entry.ts";
import { ENVIRONMENTS } from "#functions/cloud/environment.ts";
import { handler as events } from "./handler.ts";

export const handler = lambdaEntry(events(openStore(ENVIRONMENTS.events.parse(process.env))));
