import { BLOB_KEYS_MAX, type Blobs } from "#lib/ports/ports.ts";
import { type Database, textOf } from "./database.ts";

const INSERT = "INSERT INTO blobs (key, body) VALUES (?, ?) ON CONFLICT DO NOTHING";
const LIST = "SELECT key FROM blobs WHERE key >= ? AND key < ? ORDER BY key LIMIT ?";
/** Keys consist of ids and ASCII names, so all keys with a prefix sort before this character. */
const LAST_CHARACTER = "\u{10ffff}";

export const sqliteBlobs = (database: Database): Blobs => ({
  put: async (key, text) => {
    const inserted = await database.grouped(() => database.run(INSERT, key, text));
    return inserted === 1 ? "stored" : "exists";
  },
  get: async (key) => {
    const row = database.get("SELECT body FROM blobs WHERE key = ?", key);
    return row && textOf(row, "body");
  },
  delete: (key) =>
    database.grouped(() => {
      database.run("DELETE FROM blobs WHERE key = ?", key);
    }),
  list: async (prefix) =>
    database
      .all(LIST, prefix, `${prefix}${LAST_CHARACTER}`, BLOB_KEYS_MAX)
      .map((row) => textOf(row, "key")),
});

export interface SqliteUploads {
  put(id: string, sealed: string, expiresAt: number): void;
  get(id: string): string | null;
  delete(id: string): void;
}

const PUT = `INSERT INTO uploads (id, expires_at, body) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = excluded.body`;

/** Sealed bodies that agents upload before their signal. The upkeep deletes expired ones. */
export const sqliteUploads = (database: Database): SqliteUploads => ({
  put: (id, sealed, expiresAt) => {
    database.run(PUT, id, expiresAt, sealed);
  },
  get: (id) => {
    const row = database.get("SELECT body FROM uploads WHERE id = ?", id);
    return row && textOf(row, "body");
  },
  delete: (id) => {
    database.run("DELETE FROM uploads WHERE id = ?", id);
  },
});
