import type { StackEvent } from "#lib/model/event.ts";
import type { Events } from "#lib/ports/store.ts";
import type { Counters } from "./counters.ts";
import { type Database, numberOf } from "./database.ts";
import { sqliteDocuments } from "./documents.ts";

const listing = (descending: boolean): string => `WHERE stack_id = ?1
  AND (?2 IS NULL OR resource_name = ?2)
  AND (?3 IS NULL OR (time, sequence) ${descending ? "<" : ">"} (?3, ?4))
  ORDER BY time ${descending ? "DESC, sequence DESC" : "ASC, sequence ASC"} LIMIT ?5`;

const ASCENDING = listing(false);
const DESCENDING = listing(true);
const POSITION = "SELECT time, sequence FROM events WHERE id = ? AND stack_id = ?";
/** Seeks the newest event that goes. Without one the subselect is null, and nothing is written. */
const EXPIRE = `UPDATE events SET expires_at = ?1
  WHERE stack_id = ?2 AND (expires_at IS NULL OR expires_at > ?1) AND (time, sequence) <= (
    SELECT time, sequence FROM events WHERE stack_id = ?2
    ORDER BY time DESC, sequence DESC LIMIT 1 OFFSET ?3)`;
/** SQLite's LIMIT for all of them. */
const NO_LIMIT = -1;

/** Oldest first. Events of one moment keep the order in which they were put. */
export const sqliteEvents = (database: Database, counters: Counters): Events => {
  const events = sqliteDocuments<StackEvent>(database, {
    name: "events",
    key: ["id"],
    columns: {
      id: ({ id }) => id,
      stack_id: ({ stackId }) => stackId,
      time: ({ time }) => time,
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
      return events.select(
        descending ? DESCENDING : ASCENDING,
        stackId,
        resourceName ?? null,
        position && numberOf(position, "time"),
        position && numberOf(position, "sequence"),
        limit ?? NO_LIMIT,
      );
    },
  };
};
