/** The host's own work on the data. The engine is correct without it. */
import { LATER_STACK_FIELDS, type Stack } from "#lib/model/stack.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { ALONE_MAX, DEAD_LETTER_QUEUE, MESSAGE_DELAY_MS_MAX } from "#lib/ports/queue.ts";
import { type Database, type DatabaseRow, numberOf, recordOf, textOf } from "./database.ts";
import { freeSpace, PURGE_RECORDS_MAX } from "./disk-space.ts";

// The graphs of ended traversals are deleted as soon as nothing can ask for them. Their expiry
// allows for the longest time that SQS keeps a message. This host does not need that time, because
// its messages are a table, and a visit or a prepare keeps its message until it ends.

const NEEDED_OF_STACK = 2;

const CROWDED = `SELECT stack_id FROM graphs GROUP BY stack_id HAVING count(*) > ${NEEDED_OF_STACK}`;
const ENDED = `SELECT graphs.rowid AS number, json_extract(graphs.body, '$.parts.build') AS build
  FROM graphs JOIN stacks ON stacks.id = graphs.stack_id
  WHERE graphs.stack_id IN (${CROWDED})
    AND graphs.traversal_id IS NOT json_extract(stacks.body, '$.traversalId')
    AND graphs.traversal_id IS NOT json_extract(stacks.body, '$.running')
    AND graphs.traversal_id NOT IN (SELECT json_extract(body, '$.traversalId') FROM messages)
  LIMIT ${PURGE_RECORDS_MAX}`;

const partsOf = (row: DatabaseRow): readonly string[] =>
  row["build"] === null ? [] : [textOf(row, "build")];

const deleteEndedGraphs = (database: Database): number =>
  database.all(ENDED).reduce((removed, row) => {
    const parts = partsOf(row).map((build) =>
      database.run("DELETE FROM graph_parts WHERE build = ?", build),
    );
    const graphs = database.run("DELETE FROM graphs WHERE rowid = ?", row["number"] ?? null);
    return parts.reduce((sum, count) => sum + count, removed + graphs);
  }, 0);

export interface Upkeep {
  /**
   * Must be called before any row is read.
   * @returns how many rows it has changed.
   */
  dropOversized(): number;
  /**
   * Voids the leases of the former process and makes its messages visible again, so that a kill
   * costs a second instead of a lease. The host calls it at its start while it holds the folder's
   * lock, so the former process is dead. Messages that it was handling become suspects
   * (receiveSuspect). Those that were handled alone at ALONE_MAX ends become dead letters with
   * `endsProcess`.
   */
  voidFormerProcess(): { readonly leases: number; readonly messages: number };
  putOffDeadlines(byMs: number): void;
  /**
   * Voids the leases that expire before `expiry`. The host calls it after a fault of the storage,
   * when the visits with these leases have ended and could not give them back.
   * @returns how many.
   */
  voidLeases(expiry: number): number;
  /**
   * Deletes expired records and the graphs of ended traversals, at most PURGE_RECORDS_MAX of each
   * kind, and shrinks the file. The rest waits for the next call.
   * @returns how many.
   */
  purgeExpired(now: number): number;
  clear(): void;
  /**
   * The latest time that the folder has recorded, or null if no stack has an operation under way.
   */
  latestTime(): number | null;
  holdsSealed(): boolean;
  countSyncPoints(traversalIds: readonly string[]): number;
  /**
   * The stacks with this name of every tenant, including deleted ones. Only for the owner of the
   * machine, never for requests.
   */
  stacksNamed(name: string): readonly Stack[];
}

const EXPIRING_TABLES = [
  "stacks",
  "graphs",
  "graph_parts",
  "events",
  "resources",
  "sync_points",
  "input_data",
  "signal_targets",
  "evidence",
  "server_sightings",
  "delivery_sightings",
  "uploads",
  "api_tokens",
] as const;

/** The list comes from the file itself, so that a new table is included. */
const CLEARED_TABLES = `SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('counters', 'heartbeats', 'api_tokens')`;

/**
 * A claim puts the next poll after its lease. When the lease is voided, the poll must be due now,
 * or its message would arrive too early.
 */
const VOID_LEASES = `UPDATE resources
  SET body = json_set(body, '$.lease', json('null'), '$.version', json_extract(body, '$.version') + 1,
    '$.nextPollAt', min(json_extract(body, '$.nextPollAt'), ?))
  WHERE json_type(body, '$.lease') = 'object'`;
const VOID_EARLY_LEASES = `${VOID_LEASES} AND json_extract(body, '$.lease.expiresAt') < ?`;
/**
 * No delay is longer than the queue's maximum. A message further ahead was sent by a wrong clock.
 */
const VOID_FLIGHTS = `UPDATE messages SET visible_at = ?, ends = max(ends, receive_count > 0)
  WHERE visible_at > ? AND (receive_count > 0 OR visible_at > ? + ${MESSAGE_DELAY_MS_MAX})`;
/** The first end may be caused by another message that was being handled too. */
const ENDS_MAX = 1 + ALONE_MAX;
/** The letter stays a suspect, so that it is handled before any other visit of its resource. */
const SET_ASIDE = `UPDATE messages SET queue = '${DEAD_LETTER_QUEUE}', source = queue, ends = 1,
  body = json_set(body, '$.endsProcess', json('true'))
  WHERE ends >= ${ENDS_MAX} AND queue <> '${DEAD_LETTER_QUEUE}'`;
const LATEST_TIME = `SELECT max(at) AS at FROM
  (SELECT max(at) AS at FROM heartbeats UNION ALL SELECT max(sent_at) FROM messages)
  WHERE EXISTS (SELECT 1 FROM stacks WHERE settled = 0)`;

const PUT_OFF_STACKS = `UPDATE stacks
  SET body = json_set(body, '$.deadline', json_extract(body, '$.deadline') + ?,
    '$.statusVersion', json_extract(body, '$.statusVersion') + 1) WHERE settled = 0`;
const PUT_OFF_OPERATIONS = `UPDATE resources
  SET body = json_set(body, '$.operation.deadline', json_extract(body, '$.operation.deadline') + ?,
    '$.version', json_extract(body, '$.version') + 1)
  WHERE json_type(body, '$.operation') = 'object'`;
/** A folder may be restored weeks later, when the work in it still needs these records. */
const PUT_OFF_EXPIRIES = ["graphs", "graph_parts", "sync_points", "input_data"].map(
  (table) => `UPDATE ${table} SET expires_at = expires_at + ?`,
);
const PUT_OFF_ROWS = `UPDATE resources SET expires_at = expires_at + ?,
  body = json_set(body, '$.expiresAt', expires_at + ?) WHERE expires_at IS NOT NULL`;
const PUT_OFF_TARGETS = `UPDATE signal_targets SET expires_at = expires_at + ?,
  body = json_set(body, '$.expiresAt', expires_at + ?)`;

/** All other sealed records belong to one of these. */
const SEALED = `SELECT 1 FROM stacks UNION ALL SELECT 1 FROM software_configs
  UNION ALL SELECT 1 FROM servers LIMIT 1`;

export const sqliteUpkeep = (database: Database, clock: Clock): Upkeep => ({
  dropOversized: () => dropOversized(database),
  voidFormerProcess: () =>
    database.atomically(() => {
      const now = clock.now();
      const leases = database.run(VOID_LEASES, now);
      const messages = database.run(VOID_FLIGHTS, now, now, now);
      database.run(SET_ASIDE);
      return { leases, messages };
    }),
  putOffDeadlines: (byMs) =>
    database.atomically(() => {
      database.run(PUT_OFF_STACKS, byMs);
      database.run(PUT_OFF_OPERATIONS, byMs);
      database.run(PUT_OFF_ROWS, byMs, byMs);
      database.run(PUT_OFF_TARGETS, byMs, byMs);
      for (const expiries of PUT_OFF_EXPIRIES) database.run(expiries, byMs);
    }),
  voidLeases: (expiry) => database.run(VOID_EARLY_LEASES, clock.now(), expiry),
  purgeExpired: (now) => {
    const purged = database.atomically(() =>
      EXPIRING_TABLES.reduce(
        (removed, table) =>
          removed +
          database.run(
            `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ? LIMIT ?)`,
            now,
            PURGE_RECORDS_MAX,
          ),
        deleteEndedGraphs(database),
      ),
    );
    freeSpace(database);
    return purged;
  },
  clear: () =>
    database.atomically(() => {
      for (const table of database.all(CLEARED_TABLES))
        database.run(`DELETE FROM ${textOf(table, "name")}`);
    }),
  latestTime: () => {
    const row = database.get(LATEST_TIME);
    return row === null || row["at"] === null ? null : numberOf(row, "at");
  },
  holdsSealed: () => database.get(SEALED) !== null,
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
      .map((row) => ({ ...LATER_STACK_FIELDS, ...recordOf<Stack>(row) })),
});

/** More than twice the largest row of this version (ADR 29). */
export const ROW_BYTES_MAX = 64 * 1024 * 1024;

const REASON = `Hearth dropped the values of this resource: its record was larger than ${ROW_BYTES_MAX} bytes.`;

/**
 * The row becomes FAILED, so the next update creates its values again, and a delete still finds the
 * object. `octet_length` reads no value, so searching the table is fast.
 */
const DROP_VALUES = `UPDATE resources
  SET body = json_set(body, '$.properties', null, '$.reference', null, '$.operation', null,
    '$.lease', null, '$.nextPollAt', null, '$.status', 'FAILED', '$.statusReason', ?,
    '$.version', json_extract(body, '$.version') + 1)
  WHERE octet_length(body) > ?`;

/**
 * Rows from an earlier version of Hearth, when values had no limit. Such a row may have half a
 * gigabyte, and every listing of its stack would read it.
 */
const dropOversized = (database: Database): number =>
  database.atomically(() => database.run(DROP_VALUES, REASON, ROW_BYTES_MAX));
