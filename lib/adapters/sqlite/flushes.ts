/** When SQLite flushes the disk: what a power failure may take from a file. */
import type { DatabaseSync } from "node:sqlite";

/**
 * `full`: what was written is on the disk before anything outside the file follows from it.
 * `relaxed`: the disk is flushed at checkpoints only. After a power failure the file is consistent
 * but may be some minutes old, and what was done outside of it meanwhile is forgotten.
 */
export const DURABILITIES = ["full", "relaxed"] as const;
export type Durability = (typeof DURABILITIES)[number];

/**
 * `now`: the commit returns when the disk has it, and all that was committed before it. `later`:
 * nothing outside the file follows from the transaction, so the next flush takes it along. A power
 * failure before that undoes it, with all that came after it, as if the process had died before it.
 */
export type Flush = "now" | "later";

const LEVELS: Readonly<Record<Flush, string>> = { now: "FULL", later: "NORMAL" };

/**
 * Sets the connection for its next transaction. It must not be called inside of one. SQLite sets
 * this while it compiles the statement, so a statement that is kept would do nothing.
 */
export const flushSetting = (
  database: DatabaseSync,
  durability: Durability,
): ((flush: Flush) => void) => {
  let level = "";
  const set = (wanted: string): void => {
    if (wanted === level) return;
    database.exec(`PRAGMA synchronous = ${wanted}`);
    level = wanted;
  };
  // On macOS, a flush reaches the disk itself only with these.
  if (durability === "full")
    database.exec("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
  return (flush) => set(LEVELS[durability === "full" ? flush : "later"]);
};
