import type { DatabaseSync } from "node:sqlite";

/**
 * `full`: the disk has a write before anything outside the file depends on it. `relaxed`: only
 * checkpoints flush the disk. Then the file is consistent after a power failure, but may be some
 * minutes old, and does not know what was done outside of it since.
 */
export const DURABILITIES = ["full", "relaxed"] as const;
export type Durability = (typeof DURABILITIES)[number];

/**
 * `now`: the commit returns when the disk has it and all earlier commits. `later`: nothing outside
 * the file depends on the transaction, so the next flush includes it. A power failure before that
 * flush undoes it and all later ones, as if the process had died before it.
 */
export type Flush = "now" | "later";

const LEVELS: Readonly<Record<Flush, string>> = { now: "FULL", later: "NORMAL" };

/**
 * Sets the connection for its next transaction, so it must not be called inside of one. SQLite
 * applies the pragma while it compiles the statement, so a cached statement would have no effect.
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
  // Without these settings, a flush on macOS does not reach the disk itself.
  if (durability === "full")
    database.exec("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
  return (flush) => set(LEVELS[durability === "full" ? flush : "later"]);
};
