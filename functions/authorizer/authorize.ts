import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import type { TokenStore } from "#lib/ports/ports.ts";
import { decideAccess } from "./decide-access.ts";

/** API Gateway answers 401 for exactly this text, and 500 for any other. */
export const UNAUTHORIZED = "Unauthorized";

/** Throws if the answer is 401. `now` is in milliseconds since 1970. */
export const authorize = async (
  tokens: TokenStore,
  now: number,
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> => {
  const request = { headers: event.headers ?? {}, path: event.path };
  const access = await decideAccess(tokens, now, request);
  if (access.verdict !== "granted" && access.verdict !== "foreign-project")
    throw new Error(UNAUTHORIZED);
  const { verdict, tenant, tokenId } = access;
  const Effect = verdict === "granted" ? "Allow" : "Deny";
  const rights = verdict === "granted" ? access.rights : {};
  return {
    principalId: tenant,
    policyDocument: {
      Version: "2012-10-17",
      Statement: [{ Action: "execute-api:Invoke", Effect, Resource: event.methodArn }],
    },
    context: { tenant, tokenId, ...rights },
  };
};
