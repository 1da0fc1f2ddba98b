/** What the host does to the data beside the engine. None of it is needed for correctness. */
import type { Stack } from "#lib/model/stack.ts";
import type { Clock } from "#lib/ports/clock.ts";
import { type Database, numberOf, recordOf, textOf } from "./database.ts";

export interface Upkeep {
  /**
   * At start, under the folder's lock: the former process is dead, so its leases are void and its
   * messages visible again. A kill then costs a second instead of a lease. Receive counts stay, so
   * that a message which kills the process ends in the dead-letter queue.
   */
  voidFormerProcess(): { readonly leases: number; readonly messages: number };
  /** Removes what expired by `now`; at most PURGE_RECORDS_MAX of each kind, the rest next time. Answers how many. */
  purgeExpired(now: number): number;
  /** Forgets everything but the host's own counters and heartbeats. Numbers that were given once are not given again. */
  clear(): void;
  /** How many sync points there are of these traversals. */
  countSyncPoints(traversalIds: readonly string[]): number;
  /** The stacks of this name, of every tenant and deleted ones too: for whoever owns the machine, never for a request. */
  stacksNamed(name: string): readonly Stack[];
}

/** The host is at a standstill while this many are deleted: some ten milliseconds. */
export const PURGE_RECORDS_MAX = 5_000;

const EXPIRING_TABLES = [
  "resources",
  "sync_points",
  "input_data",
  "signal_targets",
  "evidence",
  "server_sightings",
  "delivery_sightings",
  "uploads",
] as const;

/** Asked of the file itself, so that no table is forgotten when one is added. */
const CLEARED_TABLES = `SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('counters', 'heartbeats')`;

/** Whoever held a lease had put the next poll after it: with the lease gone the poll is due, or its message would come too early. */
const VOID_LEASES = `UPDATE resources
  SET body = json_set(body, '$.lease', json('null'), '$.version', json_extract(body, '$.version') + 1,
    '$.nextPollAt', min(json_extract(body, '$.nextPollAt'), ?))
  WHERE json_type(body, '$.lease') = 'object'`;
const VOID_FLIGHTS =
  "UPDATE messages SET visible_at = ? WHERE receive_count > 0 AND visible_at > ?";

export const sqliteUpkeep = (database: Database, clock: Clock): Upkeep => ({
  voidFormerProcess: () =>
    database.atomically(() => ({
      leases: database.run(VOID_LEASES, clock.now()),
      messages: database.run(VOID_FLIGHTS, clock.now(), clock.now()),
    })),
  purgeExpired: (now) =>
    database.atomically(() =>
      EXPIRING_TABLES.reduce(
        (removed, table) =>
          removed +
          database.run(
            `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ? LIMIT ?)`,
            now,
            PURGE_RECORDS_MAX,
          ),
        0,
      ),
    ),
  clear: () =>
    database.atomically(() => {
      for (const table of database.all(CLEARED_TABLES))
        database.run(`DELETE FROM ${textOf(table, "name")}`);
    }),
  countSyncPoints: (traversalIds) =>
    traversalIds.reduce((count, traversalId) => {
      const row = database.get(
        "SELECT count(*) AS points FROM sync_points WHERE traversal_id = ?",
        traversalId,
      );
      return count + (row ? numberOf(row, "points") : 0);
    }, 0),
  stacksNamed: (name) =>
    database
      .all("SELECT body FROM stacks WHERE json_extract(body, '$.name') = ? ORDER BY rowid", name)
      .map((row) => recordOf<Stack>(row)),
});
