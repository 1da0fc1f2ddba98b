/**
 * Frees the space of the databases' logs before a host has the folder's lock. If a log has filled
 * the disk, the lock's own file cannot be written, and without the lock no start could recover.
 */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FAKE_PROVIDER_FILE } from "./fake-provider.ts";
import { whyRefusedVersion } from "./migrate.ts";
import { DATABASE_FILE } from "./open-sqlite.ts";
import { FAKE_PROVIDER_SCHEMA, SCHEMA } from "./schema.ts";
import { passingFault } from "./storage-faults.ts";

const FILES = [
  [DATABASE_FILE, SCHEMA],
  [FAKE_PROVIDER_FILE, FAKE_PROVIDER_SCHEMA],
] as const;

const logBytes = (path: string): number =>
  statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Where a SQLite file contains its schema's version. Opening the file would already merge its log.
 */
const VERSION_OFFSET = 60;

const versionInHeader = (path: string): number => {
  const header = Buffer.alloc(VERSION_OFFSET + 4);
  const file = openSync(path, "r");
  try {
    return readSync(file, header) < header.length ? 0 : header.readUInt32BE(VERSION_OFFSET);
  } finally {
    closeSync(file);
  }
};

/** In exclusive mode SQLite needs no shared-memory file, for which there is no space either. */
const shorten = (path: string): void => {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
};

/**
 * Returns whether it has freed space. No committed data is lost. Files that another process uses,
 * or that another version has written, stay unchanged.
 */
export const shortenLogs = (folder: string): boolean => {
  const before = FILES.map(([file]) => logBytes(join(folder, file)));
  for (const [file, schema] of FILES) {
    const path = join(folder, file);
    if (!existsSync(path) || logBytes(path) === 0) continue;
    if (whyRefusedVersion(versionInHeader(path), schema, path) !== null) continue;
    try {
      shorten(path);
    } catch (error) {
      if (passingFault(error) === null) throw error;
    }
  }
  return FILES.some(([file], at) => logBytes(join(folder, file)) < (before[at] ?? 0));
};
