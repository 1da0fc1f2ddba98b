/** Lambda entry: fed by the streams of the stacks' and the resources' tables. */
import { openStore } from "#functions/cloud/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/cloud/environment.ts";
import { handler as events } from "./handler.ts";

export const handler = events(openStore(ENVIRONMENTS.events.parse(process.env)));
