/**
 * One table of records. `body` contains the whole record as JSON, and the other columns are for
 * finding it. Every method is one statement, so SQLite makes it atomic.
 */
import type { SQLInputValue } from "node:sqlite";
import type { Documents, KeyPart } from "../local/store.ts";
import { type Database, type DatabaseRow, recordOf, textOf } from "./database.ts";

const KEPT_RECORDS_MAX = 512;
const KEPT_BODY_CHARS_MAX = 4_096;

export interface DocumentTable<Document extends object, Written> {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: { readonly [column: string]: (document: Written) => SQLInputValue };
  readonly bodyOf?: (document: Written) => object;
  readonly mergedBody?: string;
  readonly defaults?: Partial<Document>;
  /**
   * What a read of a written record returns. If given, a body that was written or read recently is
   * not parsed again. The records must be plain JSON.
   */
  readonly asRead?: (document: Written) => Document;
}

type ColumnValue = string | number | boolean | null;

/** The columns of fields that the record has itself, named as SQL names them: `stack_id`. */
export const columnsOf = <Field extends string>(...fields: readonly Field[]) =>
  Object.fromEntries(
    fields.map((field) => [
      field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ({ [field]: value }: Readonly<Record<Field, ColumnValue>>): SQLInputValue =>
        typeof value === "boolean" ? Number(value) : value,
    ]),
  );

export interface SqliteDocuments<Document extends object, Written>
  extends Documents<Document, Written> {
  select(rest: string, ...values: readonly SQLInputValue[]): readonly Document[];
}

export const sqliteDocuments = <Document extends object, Written = Document>(
  database: Database,
  table: DocumentTable<Document, Written>,
): SqliteDocuments<Document, Written> => {
  const { name, key, columns, bodyOf, mergedBody = "excluded.body", defaults } = table;
  const { asRead } = table;
  const kept = keptRecords<Document>();
  const names = Object.keys(columns);
  const readers = Object.values(columns);

  const whereKey = `WHERE ${key.map((column) => `${column} = ?`).join(" AND ")}`;
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
    // Only records of earlier versions lack a field, and a copy takes as long as parsing.
    return defaultNames.every((field) => Object.hasOwn(record, field))
      ? record
      : { ...defaults, ...record };
  };
  const keptOf = (row: DatabaseRow, values: readonly KeyPart[]): Document => {
    if (asRead === undefined) return documentOf(row);
    const body = textOf(row, "body");
    const id = values.join("/");
    return kept.get(id, body) ?? kept.keep(id, { body, document: documentOf(row) });
  };
  const keyAt = key.map((column) => names.indexOf(column));
  const idOf = (written: readonly SQLInputValue[]): string =>
    keyAt.map((at) => written[at]).join("/");
  const write = (sql: string, document: Written): boolean => {
    const body = JSON.stringify(bodyOf ? bodyOf(document) : document);
    const written = readers.map((read) => read(document));
    if (asRead !== undefined) kept.keep(idOf(written), { body, document: asRead(document) });
    return database.run(sql, ...written, body) === 1;
  };

  return {
    get: (...values) => {
      const row = database.get(selectOne, ...values);
      return row ? keptOf(row, values) : null;
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

interface KeptRecord<Document> {
  readonly body: string;
  readonly document: Document;
}

interface KeptRecords<Document> {
  get(key: string, body: string): Document | undefined;
  keep(key: string, record: KeptRecord<Document>): Document;
}

/** A record is used only if the body that was read equals its own, so it is never out of date. */
const keptRecords = <Document extends object>(): KeptRecords<Document> => {
  const records = new Map<string, KeptRecord<Document>>();
  return {
    get: (key, body) => {
      const known = records.get(key);
      return known?.body === body ? known.document : undefined;
    },
    keep: (key, record) => {
      records.delete(key);
      if (record.body.length <= KEPT_BODY_CHARS_MAX) records.set(key, record);
      const [oldest = ""] = records.size > KEPT_RECORDS_MAX ? records.keys() : [];
      records.delete(oldest);
      return record.document;
    },
  };
};
