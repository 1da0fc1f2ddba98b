/**
 * One table of records: each whole record as JSON in `body`, and beside it the columns that it is
 * found by. Every method is one statement, which SQLite makes atomic by itself.
 */
import type { SQLInputValue } from "node:sqlite";
import type { Documents } from "../local/documents.ts";
import { type Database, type DatabaseRow, recordOf } from "./database.ts";

export interface DocumentTable<Document extends object, Written> {
  readonly name: string;
  /**
   * The columns of the primary key. The records with one value of the first are listed together.
   */
  readonly key: readonly string[];
  /** What each column beside `body` holds, the key's columns included. */
  readonly columns: { readonly [column: string]: (document: Written) => SQLInputValue };
  /** What a new body holds. Absent: the record. */
  readonly bodyOf?: (document: Written) => object;
  /** SQL for the body if there is a stored one. Absent: the new body. */
  readonly mergedBody?: string;
  /** The values of fields that a stored body may lack. */
  readonly defaults?: Partial<Document>;
}

export interface SqliteDocuments<Document extends object, Written>
  extends Documents<Document, Written> {
  /** The records that the rest of a SELECT statement finds. */
  select(rest: string, ...values: readonly SQLInputValue[]): readonly Document[];
}

export const sqliteDocuments = <Document extends object, Written = Document>(
  database: Database,
  table: DocumentTable<Document, Written>,
): SqliteDocuments<Document, Written> => {
  const { name, key, columns, bodyOf, mergedBody = "excluded.body", defaults } = table;
  const names = Object.keys(columns);
  const readers = Object.values(columns);

  const whereKey = `WHERE ${key.map((column) => `${column} = ?`).join(" AND ")}`;
  // Statements are found by their text, and a text that is built anew is hashed anew.
  const selectOne = `SELECT body FROM ${name} ${whereKey}`;
  const selectFirst = `SELECT body FROM ${name} WHERE ${key[0]} = ? ORDER BY rowid`;
  const sets = names
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}, `)
    .join("");
  const insert = `INSERT INTO ${name} (${[...names, "body"].join(", ")})
    VALUES (${"?, ".repeat(names.length)}?) ON CONFLICT DO`;
  const insertIfAbsent = `${insert} NOTHING`;
  const insertOrUpdate = `${insert} UPDATE SET ${sets}body = ${mergedBody}`;
  const deleteOne = `DELETE FROM ${name} ${whereKey}`;

  const defaultNames = Object.keys(defaults ?? {});
  const documentOf = (row: DatabaseRow): Document => {
    const record = recordOf<Document>(row);
    // Only records of former versions lack a field, and a copy takes as long as parsing.
    return defaultNames.every((field) => Object.hasOwn(record, field))
      ? record
      : { ...defaults, ...record };
  };
  const write = (sql: string, document: Written): boolean => {
    const body = JSON.stringify(bodyOf ? bodyOf(document) : document);
    return database.run(sql, ...readers.map((read) => read(document)), body) === 1;
  };

  return {
    get: (...values) => {
      const row = database.get(selectOne, ...values);
      return row ? documentOf(row) : null;
    },
    list: (first) => database.all(selectFirst, first).map(documentOf),
    select: (rest, ...values) =>
      database.all(`SELECT body FROM ${name} ${rest}`, ...values).map(documentOf),
    insert: (document) => write(insertIfAbsent, document),
    put: (document) => {
      write(insertOrUpdate, document);
    },
    delete: (...values) => {
      database.run(deleteOne, ...values);
    },
  };
};
