/**
 * `stopped-upgrade.ts FOLDER STEP` upgrades a data folder as the host does, and dies of SIGKILL
 * before the statement of that number. A number beyond the last one lets the upgrade end. Prints
 * how many statements there are.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrate, type Schema, schemaVersionOf } from "#lib/adapters/sqlite/migrate.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";

const [folder = "", step = ""] = process.argv.slice(2);
const path = join(folder, DATABASE_FILE);
const from = schemaVersionOf(path);

let statements = 0;
const stopped = (sql: string): string =>
  sql
    .split(/;\n/)
    .filter((statement) => statement.trim() !== "")
    .map((statement) => `SELECT stop(${++statements});\n${statement};\n`)
    .join("");
const upgrades = Object.fromEntries(
  Object.entries(SCHEMA.upgrades)
    .filter(([version]) => Number(version) >= from)
    .map(([version, sql]) => [version, stopped(sql)]),
);
// The last one is before the version number and the end of the transaction.
const last = SCHEMA.version - 1;
const schema: Schema = {
  ...SCHEMA,
  upgrades: { ...upgrades, [last]: `${upgrades[last]}SELECT stop(${++statements});` },
};

console.log(statements);
const database = new DatabaseSync(path);
database.exec("PRAGMA journal_mode = WAL");
database.function("stop", (at) => {
  if (Number(at) === Number(step)) process.kill(process.pid, "SIGKILL");
  return at;
});
migrate(database, schema);
database.close();
