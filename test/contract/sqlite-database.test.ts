import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, numberOf, openDatabase } from "#lib/adapters/sqlite/database.ts";
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

describe("a file of another schema", () => {
  it("is refused and not changed", () => {
    expect(() => openDatabase(folder, FILE, { ...SCHEMA, version: 2 })).toThrow(
      "another version of Hearth",
    );
    expect(numbers()).toEqual([]);
  });
});
