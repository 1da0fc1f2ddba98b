import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { shortenLogs, takeFolder } from "#lib/adapters/sqlite/folder/data-folder.ts";
import { isFullDisk, unusable } from "#lib/adapters/sqlite/folder/private-files.ts";
import { migrate, roomForVacuum } from "#lib/adapters/sqlite/migrate.ts";
import { DATABASE_FILE, openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";
import { FolderDocument, writeFolder } from "../upgrade/folder-document.ts";
import { freshFolder, removeFolder } from "./folders.ts";

const RELEASED = new URL("../upgrade/folders/0.1.0.json", import.meta.url);

let folder: string;
let path: string;
beforeEach(() => {
  folder = freshFolder();
  path = join(folder, DATABASE_FILE);
});
afterEach(() => removeFolder(folder));

const migrated = (freeBytes: number) => {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
  migrate(database, SCHEMA, freeBytes);
  const read = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
  const found = { version: read("user_version"), autoVacuum: read("auto_vacuum") };
  database.close();
  return found;
};

describe("the upgrade of a file that does not shrink", () => {
  it("goes without making it small where there is no room, and a later start does that", () => {
    writeFolder(folder, FolderDocument.parse(JSON.parse(readFileSync(RELEASED, "utf8"))));
    const { size } = statSync(path);
    const { version } = SCHEMA;
    expect(migrated(size)).toEqual({ version, autoVacuum: 0 });
    expect(migrated(roomForVacuum(statSync(path).size) - 1)).toEqual({ version, autoVacuum: 0 });
    openSqlite(folder, memoryClock()).close();
    expect(migrated(0)).toEqual({ version, autoVacuum: 2 });
  });
});

describe("a log that fills the disk", () => {
  /** A kill leaves a log with pages of a transaction that did not end. */
  const killed = (from: string, to = folder): void => {
    const database = new DatabaseSync(join(from, DATABASE_FILE));
    database.exec("PRAGMA journal_mode = WAL; PRAGMA cache_size = 5; BEGIN");
    const write = database.prepare("INSERT INTO counters VALUES (?, 1)");
    for (let at = 0; at < 20_000; at += 1) write.run(`name ${at} ${"x".repeat(80)}`);
    for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
    database.exec("ROLLBACK");
    database.close();
  };

  it("is emptied before the lock is taken, and nothing that was committed is lost", () => {
    const from = freshFolder();
    try {
      const first = openSqlite(from, memoryClock());
      first.tokens.add({ hash: "h", tenant: "t", createdAt: 1, expiresAt: null, rights: {} });
      first.close();
      killed(from);
    } finally {
      removeFolder(from);
    }
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(1_000_000);
    expect(shortenLogs(folder)).toBe(true);
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(shortenLogs(folder)).toBe(false);
    const database = openSqlite(folder, memoryClock());
    expect(database.tokens.listLive(1).map(({ tenant }) => tenant)).toEqual(["t"]);
    expect(database.counters.read()["name 1"]).toBeUndefined();
    database.close();
  });

  it("is left alone where a folder has the words of that fault in its name", () => {
    const named = join(folder, "the disk is full");
    const from = freshFolder();
    openSqlite(from, memoryClock()).close();
    mkdirSync(named);
    killed(from, named);
    removeFolder(from);
    const log = join(named, `${DATABASE_FILE}-wal`);
    const bytes = statSync(log).size;
    const taken = takeFolder(named);
    expect(() => takeFolder(named)).toThrow("Another Hearth host is using");
    expect(statSync(log).size).toBe(bytes);
    taken.release();
  });

  it.each([
    [{ errcode: 13 }, true],
    [{ errcode: 4_874 }, true],
    [{ code: "ENOSPC" }, true],
    [{ code: "EDQUOT" }, true],
    [{ errcode: 10 }, false],
    [{ code: "EACCES" }, false],
  ])("is what a refusal for %j is about: %s", (fields, isAbout) => {
    const error = Object.assign(new Error("the disk is full"), fields);
    expect(isFullDisk(unusable("host.lock", error))).toBe(isAbout);
    expect(isFullDisk(error)).toBe(false);
  });

  it("is left alone while another process uses the file, and in another version's folder", () => {
    const host = openSqlite(folder, memoryClock());
    host.tokens.add({ hash: "h", tenant: "t", createdAt: 1, expiresAt: null, rights: {} });
    expect(shortenLogs(folder)).toBe(false);
    expect(host.tokens.hasLive(1)).toBe(true);
    host.close();
    const from = freshFolder();
    openSqlite(from, memoryClock()).close();
    const newer = new DatabaseSync(join(from, DATABASE_FILE));
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    killed(from);
    removeFolder(from);
    const bytes = () => [path, `${path}-wal`].map((file) => readFileSync(file));
    const before = bytes();
    expect(shortenLogs(folder)).toBe(false);
    expect(bytes()).toEqual(before);
  });
});
