/** Decides which secrets the Keystone imitation accepts: API tokens. */
import { tokenHash, tokenId } from "#functions/authorizer/credential.ts";
import { TENANT } from "#lib/api/tenant.ts";
import type { Clock, TokenStore } from "#lib/ports/ports.ts";

export interface Grant {
  readonly project: string;
  readonly token: string;
  readonly user: string;
  readonly expiresAt: number | null;
}

/** @returns null if the secret is unknown, has expired, or belongs to another project */
export type FindGrant = (secret: string, project: string | null) => Promise<Grant | null>;

/**
 * For a host that demands tokens. A token belongs to one project, so the client need not name it.
 */
export const grantsOfTokens =
  (tokens: TokenStore, clock: Clock): FindGrant =>
  async (secret, project) => {
    const hash = tokenHash(secret);
    const record = await tokens.get(hash);
    if (record === null) return null;
    const { tenant, expiresAt } = record;
    const hasEnded = expiresAt !== null && expiresAt <= clock.now();
    if (hasEnded || (project !== null && project !== tenant)) return null;
    return { project: tenant, token: secret, user: tokenId(hash), expiresAt };
  };

const OPEN_TOKEN = "project:";

/** For a host that ignores tokens. Its tokens only contain the name of the project. */
export const grantsForAnybody: FindGrant = async (secret, project) => {
  const isOwn = secret.startsWith(OPEN_TOKEN);
  const named = project ?? (isOwn ? secret.slice(OPEN_TOKEN.length) : "");
  return TENANT.test(named)
    ? { project: named, token: OPEN_TOKEN + named, user: named, expiresAt: null }
    : null;
};
