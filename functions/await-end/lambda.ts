/** Lambda entry: the supervisor's task, called with a token. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SFNClient } from "@aws-sdk/client-sfn";
import { openStore } from "#functions/cloud/bind-ports.ts";
import { clientOptions } from "#functions/cloud/client-options.ts";
import { lambdaEntry } from "#functions/cloud/entry.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/cloud/environment.ts";
import { ender } from "#functions/cloud/step-functions.ts";
import { handler as awaitEnd } from "./handler.ts";

const environment = ENVIRONMENTS["await-end"].parse(process.env);
const options = clientOptions(parsePlatform(process.env));
const ports = openStore(environment);
const supervisor = ender(
  new SFNClient(options),
  new DynamoDBClient(options),
  environment.EXECUTIONS_TABLE,
  ports.clock,
);

export const handler = lambdaEntry(awaitEnd(ports, supervisor));
