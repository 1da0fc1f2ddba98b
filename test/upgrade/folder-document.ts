/**
 * A data folder as one JSON document that a person can read and compare: its small files, and the
 * rows of its databases.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { KEYS_FILE } from "#lib/adapters/sqlite/folder/keys.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";

const blob = z
  .object({ base64: z.string() })
  .transform(({ base64 }) => new Uint8Array(Buffer.from(base64, "base64")));
const column = z.union([z.string(), z.number(), z.null(), blob]);
const row = z.record(z.string(), column);
const database = z.object({
  version: z.number(),
  schema: z.array(z.string()),
  tables: z.record(z.string(), z.array(row)),
});

export const FolderDocument = z.object({
  files: z.record(z.string(), z.base64()),
  databases: z.record(z.string(), database),
});
type FolderDocument = z.output<typeof FolderDocument>;

/** The counters of AUTOINCREMENT. SQLite creates this table itself. */
const SEQUENCES = "sqlite_sequence";

const versionRow = z.object({ user_version: z.number() });
const schemaRow = z.object({ name: z.string(), type: z.string(), sql: z.string() });

const readDatabase = (path: string): z.input<typeof database> => {
  const opened = new DatabaseSync(path, { readOnly: true });
  const { user_version: version } = versionRow.parse(opened.prepare("PRAGMA user_version").get());
  const made = z
    .array(schemaRow)
    .parse(opened.prepare("SELECT * FROM sqlite_schema WHERE sql IS NOT NULL").all());
  const tables = made.filter(({ type }) => type === "table").map(({ name }) => name);
  const rows = tables.map((name) => [name, opened.prepare(`SELECT * FROM ${name}`).all()] as const);
  const stored = z.record(
    z.string(),
    z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  );
  opened.close();
  return {
    version,
    schema: made.filter(({ name }) => name !== SEQUENCES).map(({ sql }) => sql),
    tables: stored.parse(Object.fromEntries(rows)),
  };
};

/** No host may be using the folder. */
export const readFolder = (folder: string): z.input<typeof FolderDocument> => ({
  files: { [KEYS_FILE]: readFileSync(join(folder, KEYS_FILE)).toString("base64") },
  databases: Object.fromEntries(
    [DATABASE_FILE, FAKE_PROVIDER_FILE].map((name) => [name, readDatabase(join(folder, name))]),
  ),
});

/** Each row has a line, so that a diff of two versions shows rows. */
export const textOfDocument = (document: z.input<typeof FolderDocument>): string => {
  const { databases, ...rest } = document;
  const entries = Object.entries(databases).map(([name, { tables, ...about }]) => {
    const rows = Object.entries(tables).map(
      ([table, all]) =>
        `${JSON.stringify(table)}: [\n${all.map((one) => JSON.stringify(one)).join(",\n")}\n]`,
    );
    const head = JSON.stringify(about, null, 1).slice(0, -2);
    return `${JSON.stringify(name)}: ${head},\n "tables": {\n${rows.join(",\n")}\n}}`;
  });
  const head = JSON.stringify(rest, null, 1).slice(0, -2);
  return `${head},\n "databases": {\n${entries.join(",\n")}\n}}\n`;
};

const writeDatabase = (path: string, document: FolderDocument["databases"][string]): void => {
  const opened = new DatabaseSync(path);
  for (const statement of document.schema) opened.exec(statement);
  for (const [table, rows] of Object.entries(document.tables)) {
    if (table === SEQUENCES) opened.exec(`DELETE FROM ${SEQUENCES}`);
    for (const values of rows) {
      const columns = Object.keys(values);
      const places = columns.map(() => "?").join(", ");
      opened
        .prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`)
        .run(...Object.values(values));
    }
  }
  opened.exec(`PRAGMA user_version = ${document.version}`);
  opened.close();
};

export const writeFolder = (folder: string, { files, databases }: FolderDocument): void => {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), Buffer.from(content, "base64"), { mode: 0o600 });
  }
  for (const [name, document] of Object.entries(databases)) {
    writeDatabase(join(folder, name), document);
  }
};
