import { describe, expect, it } from "vitest";
import { type Database, IN_MEMORY, numberOf, openDatabase } from "#lib/adapters/sqlite/database.ts";

const SCHEMA = {
  version: 1,
  tables: "CREATE TABLE numbers (number INTEGER NOT NULL UNIQUE);",
  upgrades: {},
};
const INSERT = "INSERT INTO numbers VALUES (?)";

const open = (): Database => openDatabase(IN_MEMORY, "", SCHEMA);
const numbers = (database: Database): readonly number[] =>
  database.all("SELECT number FROM numbers").map((row) => numberOf(row, "number"));
const insert = (database: Database, number: number) => (): number => {
  database.run(INSERT, number);
  return number;
};

describe("grouped work", () => {
  it("runs in one transaction, in order, and not before the next turn", async () => {
    const database = open();
    const before = database.usage().transactions;
    const asked = [3, 1, 2].map((number) => database.grouped(insert(database, number)));
    expect(numbers(database)).toEqual([]);
    expect(await Promise.all(asked)).toEqual([3, 1, 2]);
    expect(numbers(database)).toEqual([3, 1, 2]);
    expect(database.usage().transactions - before).toBe(1);
  });

  it("resolves after the commit", async () => {
    const database = open();
    const told: string[] = [];
    await database.grouped(() => {
      database.run(INSERT, 1);
      database.afterCommit(() => told.push("committed"));
    });
    told.push("answered");
    expect(told).toEqual(["committed", "answered"]);
  });

  it("does not fail with another piece: only that piece is rejected and writes nothing", async () => {
    const database = open();
    const failing = (): never => {
      database.run(INSERT, 8);
      throw new Error("in the middle");
    };
    const asked = await Promise.allSettled([
      database.grouped(insert(database, 1)),
      database.grouped(failing),
      database.grouped(insert(database, 1)),
      database.grouped(insert(database, 2)),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(numbers(database)).toEqual([1, 2]);
  });

  it("calls a listener after each rollback, so nothing is counted twice", async () => {
    const database = open();
    const told: string[] = [];
    const listening = (work: () => number) => () => {
      database.afterRollback(() => told.push("undone"));
      database.afterCommit(() => told.push("committed"));
      return work();
    };
    const failing = (): never => {
      throw new Error("in the middle");
    };
    await Promise.allSettled([
      database.grouped(listening(insert(database, 1))),
      database.grouped(listening(failing)),
    ]);
    expect(told).toEqual(["undone", "undone", "committed", "undone"]);
  });

  it("calls a listener before the commit once per transaction", async () => {
    const database = open();
    let ends = 0;
    const end = (): void => {
      ends += 1;
    };
    const asked = [1, 2].map((number) =>
      database.grouped(() => {
        database.beforeCommit(end);
        database.run(INSERT, number);
      }),
    );
    await Promise.all(asked);
    expect(ends).toBe(1);
  });
});
