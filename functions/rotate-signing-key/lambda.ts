import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import middy from "@middy/core";
import { ENVIRONMENTS, parsePlatform } from "#functions/aws/environment.ts";
import { rotatingSecret } from "#functions/aws/rotating-secret.ts";
import { nameInvocations } from "#functions/logger.ts";
import { clientOptions } from "#lib/adapters/aws/clients.ts";
import { handler as rotation } from "./handler.ts";

ENVIRONMENTS["rotate-signing-key"].parse(process.env);
const client = new SecretsManagerClient(clientOptions(parsePlatform(process.env)));

export const handler = middy(rotation(rotatingSecret(client))).use(nameInvocations());
