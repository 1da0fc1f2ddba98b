/** Bodies that agents upload before their signal. The upkeep deletes expired ones. */
import type { Uploads } from "#lib/ports/uploads.ts";
import { type Database, textOf } from "./database.ts";

export interface SqliteUploads extends Pick<Uploads, "get"> {
  put(id: string, text: string, expiresAt: number): void;
}

const PUT = `INSERT INTO uploads (id, expires_at, body) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = excluded.body`;

export const sqliteUploads = (database: Database): SqliteUploads => ({
  put: (id, text, expiresAt) => {
    database.run(PUT, id, expiresAt, text);
  },
  get: async (id) => {
    const row = database.get("SELECT body FROM uploads WHERE id = ?", id);
    return row && textOf(row, "body");
  },
});
