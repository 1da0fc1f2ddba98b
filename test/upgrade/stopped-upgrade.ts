/**
 * `stopped-upgrade.ts FOLDER STEP` upgrades a data folder as the host does, and kills itself with
 * SIGKILL before the statement of that number. With a number beyond the last one, the upgrade ends.
 * Prints the number of statements.
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
// The last stop comes before the version number is written and the transaction ends.
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
