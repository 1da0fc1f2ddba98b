import middy from "@middy/core";
import { openStore } from "#functions/aws/bind-ports.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { openEnder } from "#functions/aws/step-functions.ts";
import { nameInvocations } from "#functions/logger.ts";
import { handler as awaitEnd } from "./handler.ts";

const environment = ENVIRONMENTS["await-end"].parse(process.env);
const ports = openStore(environment);
const platform = parsePlatform(process.env);
const supervisor = openEnder(platform, environment.EXECUTIONS_TABLE, ports.clock);

export const handler = middy(awaitEnd(ports, supervisor)).use(nameInvocations());
