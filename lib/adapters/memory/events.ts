import type { OrderedEvent } from "#lib/model/event.ts";
import type { Events } from "#lib/ports/store.ts";
import { memoryDocuments } from "./documents.ts";

interface StoredEvent {
  readonly event: OrderedEvent;
  readonly expiresAt: number | null;
}

/** Events arrive in the order of the change feed, so their order is that of cause and effect. */
export const memoryEvents = () => {
  let put = 0;
  const events = memoryDocuments<StoredEvent>(({ event }) => [event.stackId, event.id]);
  const expire = (stored: StoredEvent, expiresAt: number): void => {
    if (stored.expiresAt === null || stored.expiresAt > expiresAt)
      events.put({ ...stored, expiresAt });
  };
  const port: Events = {
    putEvents: async (_stackId, several) => {
      for (const event of several)
        events.insert({ event: { ...event, order: put++ }, expiresAt: null });
      return several.map(({ id }) => id);
    },
    expireEvents: async (stackId, expiresAt, keep) => {
      const stored = events.list(stackId);
      for (const one of stored.slice(0, Math.max(stored.length - keep, 0))) expire(one, expiresAt);
    },
    expireWritten: async (stackId, written, expiresAt) => {
      for (const id of written) {
        const stored = events.get(stackId, id);
        if (stored !== null) expire(stored, expiresAt);
      }
    },
    listEvents: async (stackId, query) => {
      const ordered = events.list(stackId).map(({ event }) => event);
      if (query.descending) ordered.reverse();
      const marker = ordered.findIndex((event) => event.id === query.marker);
      const { from = query.descending ? Number.POSITIVE_INFINITY : 0 } = query;
      return ordered
        .slice(marker + 1)
        .filter(({ order }) => (query.descending ? order <= from : order >= from))
        .filter(({ resourceName }) => (query.resourceName ?? resourceName) === resourceName)
        .slice(0, query.limit);
    },
    orderOfEvent: async (stackId, eventId) => events.get(stackId, eventId)?.event.order ?? null,
  };
  const all = (): readonly OrderedEvent[] => events.all().map(({ event }) => event);
  return { port, all, purgeExpired: events.purgeExpired, backUp: events.backUp };
};
