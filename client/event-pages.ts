/**
 * Reads events page by page, because those of a large stack do not fit into one answer of Lambda.
 */
import type { WireEvent } from "./wire.ts";

export const PAGE_EVENTS_MAX = 1_000;

/** `read` returns at most PAGE_EVENTS_MAX events after the given one. */
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
