import type { StackEvent } from "#lib/model/event.ts";
import type { Events } from "#lib/ports/store.ts";
import { memoryDocuments } from "./documents.ts";

/** Events are put in the order of the change feed, so that order is the order of causes. */
export const memoryEvents = () => {
  const events = memoryDocuments<StackEvent>(({ id }) => [id]);
  const port: Events = {
    putEvents: async (_stackId, several) => {
      for (const event of several) events.insert(event);
    },
    listEvents: async (stackId, query) => {
      const ordered = events
        .all()
        .map((event, order) => ({ ...event, order }))
        .filter((event) => event.stackId === stackId);
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
