/**
 * Checks an API token. It is valid only on its own project's paths: an unknown one gets 401,
 * another project's 403.
 */
import middy from "@middy/core";
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import type { Clock } from "#lib/ports/clock.ts";
import { credentialOf, projectOf, tokenHash } from "./credential.ts";
import type { TokenStore } from "./token-store.ts";

/** API Gateway answers 401 for exactly this text, and 500 for any other. */
const UNAUTHORIZED = "Unauthorized";

export const handler = (tokens: TokenStore, clock: Clock) =>
  middy(async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const credential = credentialOf(event.headers ?? {});
    if (credential === null) throw new Error(UNAUTHORIZED);
    const record = await tokens.get(tokenHash(credential.token));
    const isLive = record !== null && (record.expiresAt === null || record.expiresAt > clock.now());
    const isTheirs = credential.user === null || credential.user === record?.tenant;
    if (!isLive || !isTheirs) throw new Error(UNAUTHORIZED);
    const Effect = projectOf(event.path) === record.tenant ? "Allow" : "Deny";
    return {
      principalId: record.tenant,
      policyDocument: {
        Version: "2012-10-17",
        Statement: [{ Action: "execute-api:Invoke", Effect, Resource: event.methodArn }],
      },
      context: { tenant: record.tenant },
    };
  });
