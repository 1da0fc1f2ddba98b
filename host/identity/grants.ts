/** Whom the façade of Keystone believes: the holders of API tokens. */
import { tokenHash, tokenId } from "#functions/authorizer/credential.ts";
import { TENANT } from "#lib/api/tenant.ts";
import type { TokenStore } from "#lib/ports/api-tokens.ts";
import type { Clock } from "#lib/ports/clock.ts";

export interface Grant {
  readonly project: string;
  /** What the client sends as `X-Auth-Token` from now on. */
  readonly token: string;
  /** Stands for the user where the client names none. */
  readonly user: string;
  /** Milliseconds since 1970. Null: it never ends. */
  readonly expiresAt: number | null;
}

/** Null: the secret is unknown or has ended, or is not for this project. */
export type FindGrant = (secret: string, project: string | null) => Promise<Grant | null>;

/** For a host that demands tokens. A token is for one project, so nobody need name that. */
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

/** For a host that ignores tokens. So its own need only say for which project they are. */
export const grantsForAnybody: FindGrant = async (secret, project) => {
  const isOwn = secret.startsWith(OPEN_TOKEN);
  const named = project ?? (isOwn ? secret.slice(OPEN_TOKEN.length) : "");
  return TENANT.test(named)
    ? { project: named, token: OPEN_TOKEN + named, user: named, expiresAt: null }
    : null;
};
