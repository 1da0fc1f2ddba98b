/**
 * Copies the rows of a database file into a new one. Somebody may have put triggers, views or
 * tables into a backup, which would run in the host as long as the folder exists. So only rows of
 * our tables are copied, column by column, into a file that we have created.
 */
import { statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { migrate, type Schema } from "./migrate.ts";
import { FILE_MODE } from "./private-files.ts";

const nameRows = z.array(z.object({ name: z.string() }));
const objectRows = z.array(z.object({ type: z.enum(["trigger", "view"]), name: z.string() }));
const tableRow = z.object({ type: z.literal("table") });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const namesIn = (database: DatabaseSync, query: string): readonly string[] =>
  nameRows.parse(database.prepare(query).all()).map(({ name }) => name);

/** The file's own triggers and views are removed first, so that none of them runs. */
const upgrade = (path: string, schema: Schema): void => {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA trusted_schema = OFF");
    const foreign = objectRows.parse(
      database
        .prepare("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')")
        .all(),
    );
    for (const { type, name } of foreign) database.exec(`DROP ${type} ${quoted(name)}`);
    migrate(database, schema);
  } finally {
    database.close();
  }
};

const OUR_TABLES = `SELECT name FROM main.sqlite_master WHERE type = 'table'
  AND (name NOT LIKE 'sqlite_%' OR name = 'sqlite_sequence')`;

const copyTable = (database: DatabaseSync, table: string): void => {
  const given = `SELECT type FROM pragma_table_list WHERE schema = 'given' AND name = ?`;
  if (!tableRow.safeParse(database.prepare(given).get(table)).success)
    throw new Error(`${table} is not a table`);
  const columns = namesIn(database, `SELECT name FROM pragma_table_info('${table}', 'main')`);
  const list = columns.map(quoted).join(", ");
  database.exec(`DELETE FROM main.${table};
    INSERT INTO main.${table} (${list}) SELECT ${list} FROM given.${table}`);
};

export const copyKnownRows = (from: string, to: string, schema: Schema): void => {
  writeFileSync(to, "", { mode: FILE_MODE, flag: "wx" });
  if (statSync(from).size === 0) return;
  upgrade(from, schema);
  const database = new DatabaseSync(to);
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA auto_vacuum = INCREMENTAL");
    migrate(database, schema);
    database.prepare("ATTACH ? AS given").run(from);
    database.exec("BEGIN");
    // Copying rows uses numbers, so the table of numbers comes last.
    const tables = namesIn(database, OUR_TABLES).toSorted(
      (left, right) => Number(left === "sqlite_sequence") - Number(right === "sqlite_sequence"),
    );
    for (const table of tables) copyTable(database, table);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
};
