import middy from "@middy/core";
import { openStore, retentionIn } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import { nameInvocations } from "#functions/logger.ts";
import { handler as events } from "./handler.ts";

const environment = ENVIRONMENTS.events.parse(process.env);
const { spilled, ...store } = openStore(environment);

export const handler = middy(
  events({ ...store, retention: retentionIn(environment) }, spilled),
).use(nameInvocations());
