import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, numberOf, openDatabase } from "#lib/adapters/sqlite/database.ts";
import { RetryLater } from "#lib/errors.ts";
import { freshFolder, removeFolder } from "./folders.ts";

const FILE = "test.db";
const SCHEMA = {
  version: 1,
  tables: "CREATE TABLE numbers (number INTEGER NOT NULL);",
  upgrades: {},
};
const INSERT = "INSERT INTO numbers VALUES (?)";

let folder: string;
let database: Database;
beforeEach(() => {
  folder = freshFolder();
  database = openDatabase(folder, FILE, SCHEMA);
});
afterEach(() => {
  database.close();
  removeFolder(folder);
});

const numbers = () =>
  database.all("SELECT number FROM numbers").map((row) => numberOf(row, "number"));

describe("the write-ahead log", () => {
  /** The numbers in the main file, without the write-ahead log. */
  const flushed = () => {
    const copy = join(folder, "copy.db");
    copyFileSync(join(folder, FILE), copy);
    const reader = new DatabaseSync(copy);
    // A file in WAL mode may have no tables before the first checkpoint.
    const tables = reader.prepare("SELECT name FROM sqlite_schema WHERE name = 'numbers'").all();
    const rows = tables.length === 0 ? [] : reader.prepare("SELECT number FROM numbers").all();
    reader.close();
    return rows.map((row) => numberOf(row, "number"));
  };

  it("reaches the file when nothing was written between two looks", () => {
    database.lookAfter();
    database.lookAfter();
    database.atomically(() => database.run(INSERT, 1));
    expect(flushed()).toEqual([]);
    database.lookAfter();
    expect(flushed()).toEqual([]);
    database.atomically(() => database.run(INSERT, 2));
    database.lookAfter();
    expect(flushed()).toEqual([]);
    database.lookAfter();
    expect(flushed()).toEqual([1, 2]);
  });

  it("leaves what another connection still reads to a later rest", () => {
    database.atomically(() => database.run(INSERT, 1));
    const reader = new DatabaseSync(join(folder, FILE));
    reader.exec("BEGIN");
    reader.prepare("SELECT number FROM numbers").all();
    database.atomically(() => database.run(INSERT, 2));
    database.lookAfter();
    database.lookAfter();
    expect(database.fault()).toBeNull();
    reader.close();
    database.atomically(() => database.run(INSERT, 3));
    database.lookAfter();
    database.lookAfter();
    expect(flushed()).toEqual([1, 2, 3]);
  });
});

describe("atomic work", () => {
  it("writes nothing and calls no listener if it throws, and the next work runs", () => {
    const told: string[] = [];
    const failing = () =>
      database.atomically(() => {
        database.run(INSERT, 1);
        database.afterCommit(() => told.push("failed"));
        throw new Error("in the middle");
      });
    expect(failing).toThrow("in the middle");
    expect(numbers()).toEqual([]);
    database.atomically(() => {
      database.run(INSERT, 2);
      database.afterCommit(() => told.push("stored"));
      expect(told).toEqual([]);
    });
    expect(told).toEqual(["stored"]);
    expect(numbers()).toEqual([2]);
  });

  it("blocks other connections between its read and its write", () => {
    const other = new DatabaseSync(join(folder, FILE), { timeout: 0 });
    database.atomically(() => {
      expect(numbers()).toEqual([]);
      expect(() => other.exec("INSERT INTO numbers VALUES (1)")).toThrow("locked");
      database.run(INSERT, 2);
    });
    other.exec("INSERT INTO numbers VALUES (3)");
    other.close();
    expect(numbers()).toEqual([2, 3]);
  });
});

describe("a fault of the storage", () => {
  let other: DatabaseSync;
  beforeEach(() => {
    other = new DatabaseSync(join(folder, FILE));
    other.exec("BEGIN IMMEDIATE");
  });
  afterEach(() => other.close());

  it("is told to the caller, and every call is refused until a look finds the file well", () => {
    expect(() => database.run(INSERT, 1)).toThrow(RetryLater);
    expect(database.fault()).toBe(
      `${join(folder, FILE)} cannot be used: another process has locked it`,
    );
    database.lookAfter();
    expect(() => numbers()).toThrow(RetryLater);
    expect(() => database.refuseIfFailed()).toThrow(RetryLater);
    other.exec("ROLLBACK");
    expect(() => database.run(INSERT, 1)).toThrow(RetryLater);
    database.lookAfter();
    expect(database.fault()).toBeNull();
    database.run(INSERT, 1);
    expect(numbers()).toEqual([1]);
  });

  it("fails all work of a group, and none of it runs a second time", async () => {
    const ran: number[] = [];
    const asked = await Promise.allSettled(
      [1, 2].map((number) => database.grouped(() => ran.push(database.run(INSERT, number)))),
    );
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(ran).toEqual([]);
    other.exec("ROLLBACK");
    database.lookAfter();
    expect(numbers()).toEqual([]);
  });

  it("is no error of a statement", () => {
    other.exec("ROLLBACK");
    expect(() => database.run("INSERT INTO numbers VALUES (NULL)")).toThrow("NOT NULL");
    expect(database.fault()).toBeNull();
  });
});

describe("a file that is no longer in its place", () => {
  const path = () => join(folder, FILE);

  it("takes no more writes, not even of a log that was deleted alone", () => {
    rmSync(`${path()}-wal`);
    database.lookAfter();
    expect(database.fault()).toBe(`${path()}-wal has vanished`);
    expect(() => database.run(INSERT, 1)).toThrow(RetryLater);
  });

  it("is told from another file of its name, and serves again when it is back", () => {
    renameSync(path(), `${path()}.away`);
    writeFileSync(path(), "");
    database.lookAfter();
    expect(database.fault()).toBe(`${path()} was replaced by another file`);
    renameSync(`${path()}.away`, path());
    database.lookAfter();
    database.run(INSERT, 1);
    expect(numbers()).toEqual([1]);
  });
});

describe("a full file", () => {
  it("is a fault of the storage, and loses nothing that was written before", () => {
    database.run(INSERT, 1);
    database.all("PRAGMA max_page_count = 2");
    const fill = "INSERT INTO numbers SELECT value FROM json_each(?)";
    const many = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index));
    expect(() => database.atomically(() => database.run(fill, many))).toThrow(RetryLater);
    expect(database.fault()).toBe(`${join(folder, FILE)} cannot be used: the disk is full`);
    database.lookAfter();
    expect(numbers()).toEqual([1]);
  });
});

describe("a file of another schema", () => {
  it("is refused and not changed", () => {
    expect(() => openDatabase(folder, FILE, { ...SCHEMA, version: 2 })).toThrow(
      "no version upgrades it",
    );
    expect(numbers()).toEqual([]);
  });
});
