import type { StackEvent } from "#lib/model/event.ts";
import type { Events } from "#lib/ports/store.ts";
import { memoryDocuments } from "./documents.ts";

interface StoredEvent {
  readonly event: StackEvent;
  readonly expiresAt: number | null;
}

/**
 * Oldest first. Events of one moment keep the order in which they were put, because sort is stable.
 */
export const memoryEvents = () => {
  const events = memoryDocuments<StoredEvent>(({ event }) => [event.stackId, event.id]);
  const oldestFirst = (stackId: string): StoredEvent[] =>
    events.list(stackId).toSorted((left, right) => left.event.time - right.event.time);
  const port: Events = {
    putEvents: async (_stackId, several) => {
      for (const event of several) events.insert({ event, expiresAt: null });
    },
    expireEvents: async (stackId, expiresAt, keep) => {
      const stored = oldestFirst(stackId);
      for (const one of stored.slice(0, Math.max(stored.length - keep, 0)))
        if (one.expiresAt === null || one.expiresAt > expiresAt) events.put({ ...one, expiresAt });
    },
    listEvents: async (stackId, query) => {
      const ordered = oldestFirst(stackId).map(({ event }) => event);
      if (query.descending) ordered.reverse();
      const marker = ordered.findIndex((event) => event.id === query.marker);
      return ordered
        .slice(marker + 1)
        .filter(({ resourceName }) => (query.resourceName ?? resourceName) === resourceName)
        .slice(0, query.limit);
    },
  };
  const all = (): readonly StackEvent[] => events.all().map(({ event }) => event);
  return { port, all, purgeExpired: events.purgeExpired };
};
