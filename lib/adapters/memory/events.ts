import type { StackEvent } from "#lib/model/event.ts";
import type { Store } from "#lib/ports/store.ts";

type EventMethods = Pick<Store, "putEvent" | "putEvents" | "listEvents">;

export interface MemoryEvents {
  readonly port: EventMethods;
  all(): readonly StackEvent[];
}

/** Oldest first; events of one moment keep the order in which they were put, for sort is stable. */
export const memoryEvents = (): MemoryEvents => {
  const events = new Map<string, StackEvent>();

  const put = (event: StackEvent): void => {
    if (!events.has(event.id)) events.set(event.id, event);
  };

  const port: EventMethods = {
    putEvent: async (event) => put(event),
    putEvents: async (_stackId, several) => several.forEach(put),
    listEvents: async (stackId, query) => {
      const ordered = [...events.values()]
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

  return { port, all: () => [...events.values()] };
};
