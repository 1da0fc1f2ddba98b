import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import type { Rights, TokenStore } from "#lib/ports/ports.ts";
import type { Headers } from "../http-event.ts";
import { credentialOf, projectOf, tokenHash, tokenId } from "./credential.ts";

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

/**
 * Only a stored token has an id. An unknown text is not kept, because it may be a password for
 * another system.
 */
export type Access =
  | {
      readonly verdict: "granted";
      readonly tenant: string;
      readonly tokenId: string;
      readonly rights: Rights;
    }
  | {
      readonly verdict: "foreign-project" | "expired" | "foreign-user";
      readonly tenant: string;
      readonly tokenId: string;
    }
  | { readonly verdict: "no-token" }
  | { readonly verdict: "unknown-token" };

/**
 * Decides which project a request's token is for, and whether the path belongs to that project. The
 * authorizer on AWS and the embedded host both use it.
 */
export const decideAccess = async (
  tokens: TokenStore,
  now: number,
  { headers, path }: { readonly headers: Headers; readonly path: string },
): Promise<Access> => {
  const credential = credentialOf(headers);
  if (credential === null) return { verdict: "no-token" };
  const hash = tokenHash(credential.token);
  const record = await tokens.get(hash);
  if (record === null) return { verdict: "unknown-token" };
  const { tenant, expiresAt, rights } = record;
  const known = { tenant, tokenId: tokenId(hash) };
  if (expiresAt !== null && expiresAt <= now) return { verdict: "expired", ...known };
  if (credential.user !== null && credential.user !== tenant)
    return { verdict: "foreign-user", ...known };
  if (projectOf(path) !== tenant) return { verdict: "foreign-project", ...known };
  return { verdict: "granted", rights, ...known };
};
