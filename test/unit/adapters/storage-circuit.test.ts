import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { openDiskReads, storageCircuit } from "#lib/adapters/sqlite/storage-circuit.ts";
import { RetryLater } from "#lib/errors.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

const DISK_ERROR = 10;
const DAMAGED = 11;
const NO_SHARED_MEMORY = 4_874;
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

it("shared memory without room on the disk is told as a full disk", () => {
  const circuit = storageCircuit("hearth.db", () => false);
  expect(() => circuit.guard(failing(NO_SHARED_MEMORY))).toThrow(RetryLater);
  expect(circuit.fault()).toBe("hearth.db cannot be used: the disk is full, or reports an error");
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
    // A folder in the place of the file makes the read fail, as a failing disk does.
    mkdirSync(`${path}-wal`);
    expect(reads.fail()).toBe(true);
    rmdirSync(`${path}-wal`);
    expect(reads.fail()).toBe(false);
    reads.close();
  } finally {
    removeFolder(folder);
  }
});

/** Linux lists the locks of all processes in this file. Other systems do not have it. */
const LOCKS = "/proc/locks";

it.skipIf(!existsSync(LOCKS))("looking at the disk leaves SQLite its locks", () => {
  const folder = freshFolder();
  const path = join(folder, "hearth.db");
  const database = openSqlite(folder, { now: () => 1 });
  const locks = (): readonly string[] => {
    const { ino } = statSync(path);
    return readFileSync(LOCKS, "utf8")
      .split("\n")
      .filter((line) => line.includes(`:${ino} `));
  };
  const reads = openDiskReads(path);
  try {
    expect(locks()).toHaveLength(1);
    expect(reads.fail()).toBe(false);
    expect(locks()).toHaveLength(1);
  } finally {
    database.close();
    reads.close();
    removeFolder(folder);
  }
});
