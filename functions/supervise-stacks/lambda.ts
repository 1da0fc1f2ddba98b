import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SFNClient } from "@aws-sdk/client-sfn";
import middy from "@middy/core";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { openMeter } from "#functions/aws/metrics.ts";
import { starter } from "#functions/aws/step-functions.ts";
import { nameInvocations } from "#functions/logger.ts";
import { clientOptions } from "#lib/adapters/aws/clients.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { publishMetrics } from "../aws/metrics.ts";
import { handler as superviseStacks } from "./handler.ts";

const { STAGE, STATE_MACHINE, EXECUTIONS_TABLE } = ENVIRONMENTS["supervise-stacks"].parse(
  process.env,
);
const meter = openMeter(STAGE);
const options = clientOptions(parsePlatform(process.env));

export const handler = middy(
  superviseStacks(
    starter(new SFNClient(options), new DynamoDBClient(options), STATE_MACHINE, EXECUTIONS_TABLE),
    systemClock(),
    meter,
  ),
).use([nameInvocations(), publishMetrics(meter)]);
