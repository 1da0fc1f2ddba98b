import { statfsSync } from "node:fs";
import type { Database } from "./database.ts";

export interface DiskSpace {
  readonly bytes: number;
  readonly freeBytes: number;
}

export const diskSpace = (folder: string): DiskSpace => {
  const { bsize, blocks, bavail } = statfsSync(folder);
  return { bytes: bsize * blocks, freeBytes: bsize * bavail };
};

export const PURGE_RECORDS_MAX = 5_000;
const FREED_PAGES_MAX = 5_000;

/**
 * Returns the pages of deleted records to the file system, so that a file shrinks again. The limits
 * keep a round within some milliseconds, because it blocks the host.
 */
export const freeSpace = (database: Database): void => {
  database.all(`PRAGMA incremental_vacuum(${FREED_PAGES_MAX})`);
};
