import type { Rights, TokenRecord, TokenStore } from "#lib/ports/ports.ts";
import { type Database, type DatabaseRow, numberOf, textOf } from "./database.ts";

export interface StoredToken extends TokenRecord {
  readonly hash: string;
  readonly createdAt: number;
}

/**
 * Expired tokens count until they are purged.
 * @limit tokens of a data folder that have not expired
 * @beyond `hearth token create` refuses
 */
export const TOKENS_MAX = 10_000;

export interface SqliteTokens extends TokenStore {
  add(token: StoredToken): boolean;
  listLive(now: number): readonly StoredToken[];
  hasLive(now: number): boolean;
  remove(hash: string): boolean;
}

const expiryOf = (row: DatabaseRow): number | null =>
  row["expires_at"] === null ? null : numberOf(row, "expires_at");

const rightsOf = (row: DatabaseRow): Rights => ({
  ...(numberOf(row, "may_only_read") === 1 ? { mayOnlyRead: true } : {}),
  ...(row["stack"] === null ? {} : { stack: textOf(row, "stack") }),
});

const INSERT = `INSERT INTO api_tokens (hash, tenant, created_at, expires_at, may_only_read, stack)
  SELECT ?, ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM api_tokens) < ${TOKENS_MAX}`;
const LIVE = "expires_at IS NULL OR expires_at > ?";

export const sqliteTokens = (database: Database): SqliteTokens => ({
  get: async (hash) => {
    const row = database.get("SELECT * FROM api_tokens WHERE hash = ?", hash);
    return (
      row && { tenant: textOf(row, "tenant"), expiresAt: expiryOf(row), rights: rightsOf(row) }
    );
  },
  add: ({ hash, tenant, createdAt, expiresAt, rights: { mayOnlyRead, stack } }) => {
    const values = [hash, tenant, createdAt, expiresAt, mayOnlyRead ? 1 : 0, stack ?? null];
    return database.run(INSERT, ...values) > 0;
  },
  listLive: (now) =>
    database
      .all(`SELECT * FROM api_tokens WHERE ${LIVE} ORDER BY tenant, created_at, hash`, now)
      .map((row) => ({
        hash: textOf(row, "hash"),
        tenant: textOf(row, "tenant"),
        createdAt: numberOf(row, "created_at"),
        expiresAt: expiryOf(row),
        rights: rightsOf(row),
      })),
  hasLive: (now) => database.get(`SELECT 1 FROM api_tokens WHERE ${LIVE} LIMIT 1`, now) !== null,
  remove: (hash) => database.run("DELETE FROM api_tokens WHERE hash = ?", hash) > 0,
});
