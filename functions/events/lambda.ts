/** Lambda entry: fed by the streams of the stacks' and the resources' tables. */
import { openStore } from "#functions/aws/bind-ports.ts";
import { lambdaEntry } from "#functions/aws/entry.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { handler as events } from "./handler.ts";

export const handler = lambdaEntry(events(openStore(ENVIRONMENTS.events.parse(process.env))));
