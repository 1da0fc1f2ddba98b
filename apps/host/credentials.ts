/** The credentials in a data folder: API tokens, and the keys that sign the URLs of agents. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freshToken, tokenHash, tokenId } from "#functions/authorizer/credential.ts";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { type StoredToken, TOKENS_MAX } from "#lib/adapters/sqlite/api-tokens.ts";
import { KEYS_FILE } from "#lib/adapters/sqlite/folder/keys.ts";
import { KEYS_LOOK_MS } from "#lib/adapters/sqlite/folder/live-signer.ts";
import { type Rotated, rotateKeys } from "#lib/adapters/sqlite/folder/rotate-keys.ts";
import { hasDatabase, inTokensOf } from "#lib/adapters/sqlite/folder/token-file.ts";
import { TENANT } from "#lib/api/tenant.ts";
import { STACK_NAME } from "#lib/engine/stacks/create-stack.ts";
import type { Rights } from "#lib/ports/ports.ts";

/** The message is a sentence for the user, who can fix the cause. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

export interface TokenEntry {
  readonly id: string;
  readonly project: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly rights: Rights;
}

const entryOf = ({ hash, tenant, createdAt, expiresAt, rights }: StoredToken): TokenEntry => ({
  id: tokenId(hash),
  project: tenant,
  createdAt,
  expiresAt,
  rights,
});

export interface MadeToken extends TokenEntry {
  /** The only copy of the token: the folder contains its hash. */
  readonly token: string;
}

/** Creates the data folder too, so that the first token can be made before the first start. */
export const createToken = (
  folder: string,
  project: string,
  lifetimeMs: number | null,
  rights: Rights = {},
): MadeToken => {
  if (!TENANT.test(project)) {
    throw new TokenRefused(
      "--project: letters, digits and _.@- after a first letter or digit are expected",
    );
  }
  if (rights.stack !== undefined && !STACK_NAME.test(rights.stack))
    throw new TokenRefused("--stack: the name of a stack is expected");
  if (!hasDatabase(folder) && existsSync(join(folder, KEYS_FILE))) {
    throw new TokenRefused(`${folder} has keys but no database. Restore the whole folder first.`);
  }
  const now = systemClock().now();
  const token = freshToken();
  const stored: StoredToken = {
    hash: tokenHash(token),
    tenant: project,
    createdAt: now,
    expiresAt: lifetimeMs === null ? null : now + lifetimeMs,
    rights,
  };
  if (!inTokensOf(folder, (tokens) => tokens.add(stored))) {
    throw new TokenRefused(`${folder} holds ${TOKENS_MAX} tokens already. Revoke some first.`);
  }
  return { ...entryOf(stored), token };
};

const checkFolder = (folder: string): void => {
  if (!hasDatabase(folder)) throw new TokenRefused(`There is no data of Hearth in ${folder}.`);
};

/** Lists the tokens of all projects if `project` is null. */
export const listTokens = (folder: string, project: string | null): readonly TokenEntry[] => {
  checkFolder(folder);
  return inTokensOf(folder, (tokens) => tokens.listLive(systemClock().now()))
    .map(entryOf)
    .filter((entry) => project === null || entry.project === project);
};

/** `named` is a token or its id. A running host refuses the token from the next request on. */
export const revokeToken = (folder: string, named: string): TokenEntry => {
  checkFolder(folder);
  return inTokensOf(folder, (tokens) => {
    const now = systemClock().now();
    const isNamed = ({ hash }: StoredToken): boolean =>
      tokenId(hash) === named || hash === tokenHash(named);
    const found = tokens.listLive(now).find(isNamed);
    if (found === undefined || !tokens.remove(found.hash)) {
      throw new TokenRefused(`There is no such token in ${folder}. Its tokens: hearth token list`);
    }
    return entryOf(found);
  });
};

/** A running host uses the new key after this time at the latest. */
export const ROTATION_SECONDS_MAX = Math.ceil((2 * KEYS_LOOK_MS) / 1_000);

export const rotateHostKeys = (folder: string, leaked: boolean): Rotated =>
  rotateKeys(folder, { now: systemClock().now(), leaked });
