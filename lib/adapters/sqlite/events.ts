import type { StackEvent } from "#lib/model/event.ts";
import type { Events } from "#lib/ports/store.ts";
import type { Counters } from "./counters.ts";
import { type Database, numberOf, recordOf } from "./database.ts";
import { sqliteDocuments } from "./documents.ts";

const listing = (descending: boolean): string => `SELECT sequence, body FROM events
  WHERE stack_id = ?1
  AND (?2 IS NULL OR resource_name = ?2)
  AND (?3 IS NULL OR sequence ${descending ? "<" : ">"} ?3)
  ORDER BY sequence ${descending ? "DESC" : "ASC"} LIMIT ?4`;

const ASCENDING = listing(false);
const DESCENDING = listing(true);
const POSITION = "SELECT sequence FROM events WHERE id = ? AND stack_id = ?";
/** Seeks the newest event that goes. Without one the subselect is null, and nothing is written. */
const EXPIRE = `UPDATE events SET expires_at = ?1
  WHERE stack_id = ?2 AND (expires_at IS NULL OR expires_at > ?1) AND sequence <= (
    SELECT sequence FROM events WHERE stack_id = ?2 ORDER BY sequence DESC LIMIT 1 OFFSET ?3)`;
/** SQLite's LIMIT for all of them. */
const NO_LIMIT = -1;

/**
 * The change feed puts events in the order in which their changes were committed. A cause is
 * committed before its effects, so their sequence orders them even if the clock jumps.
 */
export const sqliteEvents = (database: Database, counters: Counters): Events => {
  const events = sqliteDocuments<StackEvent>(database, {
    name: "events",
    key: ["id"],
    columns: {
      id: ({ id }) => id,
      stack_id: ({ stackId }) => stackId,
      resource_name: ({ resourceName }) => resourceName,
    },
  });
  return {
    putEvents: (_stackId, several) =>
      database.grouped(() => {
        for (const event of several) if (events.insert(event)) counters.add("events");
      }),
    expireEvents: (stackId, expiresAt, keep) =>
      database.grouped(() => {
        database.run(EXPIRE, expiresAt, stackId, keep);
      }),
    listEvents: async (stackId, { marker, resourceName, limit, descending }) => {
      const position = marker === undefined ? null : database.get(POSITION, marker, stackId);
      const rows = database.all(
        descending ? DESCENDING : ASCENDING,
        stackId,
        resourceName ?? null,
        position && numberOf(position, "sequence"),
        limit ?? NO_LIMIT,
      );
      return rows.map((row) => ({
        ...recordOf<StackEvent>(row),
        order: numberOf(row, "sequence"),
      }));
    },
  };
};
