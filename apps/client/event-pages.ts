/** Reads events in pages, because those of a large stack do not fit into an answer of Lambda. */
import type { WireEvent } from "./wire.ts";

export const PAGE_EVENTS_MAX = 1_000;

export const readAllEvents = async (
  read: (marker: string | null) => Promise<readonly WireEvent[]>,
  marker: string | null,
): Promise<WireEvent[]> => {
  const all: WireEvent[] = [];
  for (let from = marker; ; ) {
    const page = await read(from);
    all.push(...page);
    const last = page.at(-1)?.id ?? null;
    // A server that ignores the marker sends the same page again.
    if (page.length < PAGE_EVENTS_MAX || last === from) return all;
    from = last;
  }
};
