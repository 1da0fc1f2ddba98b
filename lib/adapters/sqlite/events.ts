import { parseJson } from "#lib/json.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type { Events } from "#lib/ports/store.ts";
import { storedEvent } from "../stored-event.ts";
import { type Database, type DatabaseRow, numberOf, textOf } from "./database.ts";
import { columnsOf, sqliteDocuments } from "./documents.ts";
import type { Counters } from "./outlook.ts";

const listing = (descending: boolean): string => `SELECT sequence, body FROM events
  WHERE stack_id = ?
  AND (? IS NULL OR resource_name = ?)
  AND (? IS NULL OR sequence ${descending ? "<" : ">"} ?)
  AND (? IS NULL OR sequence ${descending ? "<=" : ">="} ?)
  ORDER BY sequence ${descending ? "DESC" : "ASC"} LIMIT ?`;

const ASCENDING = listing(false);
const DESCENDING = listing(true);
const POSITION = "SELECT sequence FROM events WHERE id = ? AND stack_id = ?";
const NEWEST_TO_GO =
  "SELECT sequence FROM events WHERE stack_id = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?";
/**
 * All older events expire at least as early, because every call includes all events up to its
 * newest. So the search can stop at this one, and skips the many that wait for their removal.
 */
const NEWEST_GOING = `SELECT sequence FROM events WHERE stack_id = ? AND sequence <= ?
  AND expires_at <= ? ORDER BY sequence DESC LIMIT 1`;
const EXPIRE =
  "UPDATE events SET expires_at = ? WHERE stack_id = ? AND sequence > ? AND sequence <= ?";
const EXPIRE_ONE = `UPDATE events SET expires_at = ?
  WHERE id = ? AND stack_id = ? AND (expires_at IS NULL OR expires_at > ?)`;
const NO_LIMIT = -1;

const sequenceOf = (row: DatabaseRow | null): number | null => row && numberOf(row, "sequence");

/**
 * The change feed puts events in the order in which their changes were committed. A cause is
 * committed before its effects, so this order is right even if the clock jumps.
 */
export const sqliteEvents = (database: Database, counters: Counters): Events => {
  const events = sqliteDocuments<StackEvent>(database, {
    name: "events",
    key: ["id"],
    columns: columnsOf("id", "stackId", "resourceName"),
  });
  return {
    // The changes remain on the disk until their events are there too, so a power failure loses no
    // event.
    putEvents: (_stackId, several) =>
      database.grouped(() => {
        for (const event of several) if (events.insert(event)) counters.add("events");
        return several.map(({ id }) => id);
      }, "later"),
    expireEvents: (stackId, expiresAt, keep) =>
      database.grouped(() => {
        const newest = sequenceOf(database.get(NEWEST_TO_GO, stackId, keep));
        if (newest === null) return;
        const going = sequenceOf(database.get(NEWEST_GOING, stackId, newest, expiresAt));
        database.run(EXPIRE, expiresAt, stackId, going ?? 0, newest);
      }, "later"),
    expireWritten: (stackId, written, expiresAt) =>
      database.grouped(() => {
        for (const id of written) database.run(EXPIRE_ONE, expiresAt, id, stackId, expiresAt);
      }, "later"),
    listEvents: async (stackId, { marker, from = null, resourceName, limit, descending }) => {
      const position = marker === undefined ? null : database.get(POSITION, marker, stackId);
      const name = resourceName ?? null;
      const after = sequenceOf(position);
      const values = [stackId, name, name, after, after, from, from, limit ?? NO_LIMIT];
      const rows = database.all(descending ? DESCENDING : ASCENDING, ...values);
      return rows.map((row) => ({
        ...storedEvent.parse(parseJson(textOf(row, "body"))),
        order: numberOf(row, "sequence"),
      }));
    },
    orderOfEvent: async (stackId, eventId) => {
      return sequenceOf(database.get(POSITION, eventId, stackId));
    },
  };
};
