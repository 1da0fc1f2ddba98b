import { execFileSync } from "node:child_process";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDiskReads } from "#lib/adapters/sqlite/disk-reads.ts";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { storageCircuit } from "#lib/adapters/sqlite/storage-circuit.ts";
import { RetryLater } from "#lib/errors.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

const DISK_ERROR = 10;
const DAMAGED = 11;
const failing = (errcode: number) => (): never => {
  throw Object.assign(new Error("database disk image is malformed"), { errcode });
};

it("a page that cannot be read while the disk fails is no damage once it can be read", () => {
  const circuit = storageCircuit("hearth.db", () => false);
  expect(() => circuit.guard(failing(DISK_ERROR))).toThrow(RetryLater);
  circuit.probe(failing(DAMAGED));
  expect(circuit.fault()).toContain("malformed");
  expect(circuit.isOpen()).toBe(true);
  circuit.probe(() => undefined);
  expect(circuit.fault()).toBeNull();
});

it("a damaged page that a call meets is told until the file is opened anew", () => {
  const circuit = storageCircuit("hearth.db", () => false);
  expect(() => circuit.guard(failing(DAMAGED))).toThrow("malformed");
  expect(circuit.isOpen()).toBe(false);
  expect(circuit.fault()).toBe("hearth.db is damaged");
});

it("a page that the disk does not give is a fault that passes, and no damage", () => {
  let isFailing = true;
  const circuit = storageCircuit("hearth.db", () => isFailing);
  expect(() => circuit.guard(failing(DAMAGED))).toThrow(RetryLater);
  expect(circuit.fault()).toBe("hearth.db cannot be used: the disk reports an error");
  circuit.probe(() => undefined);
  expect(circuit.isOpen()).toBe(true);
  isFailing = false;
  circuit.probe(() => undefined);
  expect(circuit.fault()).toBeNull();
});

it("a file of a disk that fails is told from one that is short or has gone", () => {
  const folder = freshFolder();
  try {
    const path = join(folder, "hearth.db");
    expect(openDiskReads(path).fail()).toBe(false);
    writeFileSync(path, "short");
    const reads = openDiskReads(path);
    expect(reads.fail()).toBe(false);
    // Reading a folder fails, as reading a file of a failing disk does.
    mkdirSync(`${path}-wal`);
    expect(reads.fail()).toBe(true);
    rmdirSync(`${path}-wal`);
    expect(reads.fail()).toBe(false);
    reads.close();
  } finally {
    removeFolder(folder);
  }
});

it("looking at the disk leaves the database locked against other processes", () => {
  const folder = freshFolder();
  const database = openSqlite(folder, { now: () => 1 });
  try {
    database.lookAfter();
    const program = `
      const { DatabaseSync } = require("node:sqlite");
      const other = new DatabaseSync(process.argv[1]);
      try { other.exec("PRAGMA journal_mode = DELETE"); } catch (error) { console.log(error.message); }`;
    const other = () =>
      execFileSync(process.execPath, ["-e", program, join(folder, "hearth.db")], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    expect(other()).toContain("locked");
    const reads = openDiskReads(join(folder, "hearth.db"));
    expect(reads.fail()).toBe(false);
    expect(other()).toContain("locked");
  } finally {
    database.close();
    removeFolder(folder);
  }
});
