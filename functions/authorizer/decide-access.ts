/**
 * Decides which project a request's token is for, and whether the path belongs to that project. The
 * authorizer on AWS and the embedded host both use it.
 */
import type { Headers } from "#functions/http-event.ts";
import type { Rights, TokenStore } from "#lib/ports/ports.ts";
import { credentialOf, projectOf, tokenHash, tokenId } from "./credential.ts";

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
