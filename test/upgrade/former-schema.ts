/**
 * Takes the database of a data folder back to the tables of a former version, as if that version
 * had written it. The rows stay, except those of tables that it did not have.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";

const EXPIRING = ["stacks", "graphs", "events"];

const BACK: Readonly<Record<number, string>> = {
  11: "ALTER TABLE api_tokens DROP COLUMN may_only_read; ALTER TABLE api_tokens DROP COLUMN stack;",
  10: `DROP INDEX messages_of_projects;
    ALTER TABLE messages DROP COLUMN tenant;
    ALTER TABLE messages DROP COLUMN ends;
    CREATE INDEX messages_visible ON messages (queue, visible_at, sequence);`,
  9: "DROP TABLE graph_parts;",
  8: "",
  7: "DROP TABLE taken_machines;",
  6: "DROP TABLE api_tokens;",
  5: `${EXPIRING.map((table) => `DROP INDEX ${table}_expiry; ALTER TABLE ${table} DROP COLUMN expires_at;`).join("\n")}
    DROP INDEX events_of_stack;
    ALTER TABLE events ADD COLUMN time INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX events_by_time ON events (stack_id, time, sequence);
    UPDATE stacks SET body = json_remove(body, '$.expiresAt');`,
};

export const OLDEST_WITH_TOKENS = 6;

/** No host may be using the folder. As with 0.1.0, the file does not shrink. */
export const takeBack = (folder: string, version: number): void => {
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  for (let from = SCHEMA.version; from > version; from -= 1) {
    const statements = BACK[from];
    if (statements === undefined) throw new Error(`nothing undoes the upgrade to schema ${from}`);
    database.exec(statements);
  }
  database.exec(`PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA user_version = ${version};`);
  database.close();
};
