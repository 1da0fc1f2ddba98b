import type { StackEvent } from "#lib/model/event.ts";
import type { Events } from "#lib/ports/store.ts";
import { memoryDocuments } from "./documents.ts";

/**
 * Oldest first. Events of one moment keep the order in which they were put, because sort is stable.
 */
export const memoryEvents = () => {
  const events = memoryDocuments<StackEvent>(({ id }) => [id]);
  const port: Events = {
    putEvents: async (_stackId, several) => {
      for (const event of several) events.insert(event);
    },
    listEvents: async (stackId, query) => {
      const ordered = events
        .all()
        .filter((event) => event.stackId === stackId)
        .sort((left, right) => left.time - right.time);
      if (query.descending) ordered.reverse();
      const marker = ordered.findIndex((event) => event.id === query.marker);
      return ordered
        .slice(marker + 1)
        .filter(({ resourceName }) => (query.resourceName ?? resourceName) === resourceName)
        .slice(0, query.limit);
    },
  };
  return { port, all: events.all };
};
