/** The decision about one request: which project its token is for, and whether the path is its. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { credentialOf, projectOf, tokenHash } from "./credential.ts";
import type { TokenStore } from "./token-store.ts";

/** API Gateway answers 401 for exactly this text, and 500 for any other. */
export const UNAUTHORIZED = "Unauthorized";

/** `now` is in milliseconds since 1970. Throws where the answer is 401. */
export const authorize = async (
  tokens: TokenStore,
  now: number,
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> => {
  const credential = credentialOf(event.headers ?? {});
  if (credential === null) throw new Error(UNAUTHORIZED);
  const record = await tokens.get(tokenHash(credential.token));
  const isLive = record !== null && (record.expiresAt === null || record.expiresAt > now);
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
};
