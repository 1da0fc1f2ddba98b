/** Gives the pages of deleted records back to the file system, so that a file shrinks again. */
import type { Database } from "./database.ts";

/** The most records of a kind that one round deletes. It blocks the host for some milliseconds. */
export const PURGE_RECORDS_MAX = 5_000;
/** The most pages that one round gives back. The rest waits for the next round. */
const FREED_PAGES_MAX = 5_000;

export const freeSpace = (database: Database): void => {
  database.all(`PRAGMA incremental_vacuum(${FREED_PAGES_MAX})`);
};
