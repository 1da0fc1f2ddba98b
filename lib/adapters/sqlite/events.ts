import type { StackEvent } from "#lib/model/event.ts";
import type { EventQuery, Store } from "#lib/ports/store.ts";
import type { Counters } from "./counters.ts";
import { type Database, numberOf, recordOf } from "./database.ts";

type EventMethods = Pick<Store, "putEvent" | "putEvents" | "listEvents">;

const PUT_EVENT = `INSERT INTO events (id, stack_id, time, resource_name, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`;

const listing = (descending: boolean): string => `SELECT body FROM events
  WHERE stack_id = :stackId AND (:resourceName IS NULL OR resource_name = :resourceName)
    AND (:sequence IS NULL OR (time, sequence) ${descending ? "<" : ">"} (:time, :sequence))
  ORDER BY time ${descending ? "DESC, sequence DESC" : "ASC, sequence ASC"}
  LIMIT :limit`;

const ASCENDING = listing(false);
const DESCENDING = listing(true);
/** SQLite's word for all of them. */
const NO_LIMIT = -1;

/** Oldest first; events of one moment keep the order in which they were put. */
export const sqliteEvents = (database: Database, counters: Counters): EventMethods => {
  const positionOf = (stackId: string, marker: string | undefined) => {
    if (marker === undefined) return null;
    return database.get(
      "SELECT time, sequence FROM events WHERE id = ? AND stack_id = ?",
      marker,
      stackId,
    );
  };

  const put = (event: StackEvent): void => {
    const { id, stackId, time, resourceName } = event;
    const put = database.run(PUT_EVENT, id, stackId, time, resourceName, JSON.stringify(event));
    if (put === 1) counters.add("events");
  };

  return {
    putEvent: async (event) => database.grouped(() => put(event)),
    putEvents: async (_stackId, several) => database.grouped(() => several.forEach(put)),
    listEvents: async (stackId, query: EventQuery) => {
      const marker = positionOf(stackId, query.marker);
      const rows = database.allNamed(query.descending ? DESCENDING : ASCENDING, {
        stackId,
        resourceName: query.resourceName ?? null,
        time: marker && numberOf(marker, "time"),
        sequence: marker && numberOf(marker, "sequence"),
        limit: query.limit ?? NO_LIMIT,
      });
      return rows.map((row) => recordOf<StackEvent>(row));
    },
  };
};
