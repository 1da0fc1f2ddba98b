/** Sealed bodies that agents upload before their signal. The upkeep deletes expired ones. */
import { type Database, textOf } from "./database.ts";

export interface SqliteUploads {
  put(id: string, sealed: string, expiresAt: number): void;
  get(id: string): string | null;
  delete(id: string): void;
}

const PUT = `INSERT INTO uploads (id, expires_at, body) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = excluded.body`;

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
