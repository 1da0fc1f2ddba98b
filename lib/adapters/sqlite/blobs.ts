import type { Blobs } from "#lib/ports/blobs.ts";
import { type Database, textOf } from "./database.ts";

export const sqliteBlobs = (database: Database): Blobs => ({
  put: async (key, text) => {
    const inserted = database.run(
      "INSERT INTO blobs (key, body) VALUES (?, ?) ON CONFLICT DO NOTHING",
      key,
      text,
    );
    return inserted === 1 ? "stored" : "exists";
  },
  get: async (key) => {
    const row = database.get("SELECT body FROM blobs WHERE key = ?", key);
    return row && textOf(row, "body");
  },
  delete: async (key) => {
    database.run("DELETE FROM blobs WHERE key = ?", key);
  },
});
