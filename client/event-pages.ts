/** Events page by page: a stack of thousands of resources has more of them than an answer in the cloud may hold. */
import type { StackEvent } from "./wire.ts";

export const PAGE_EVENTS_MAX = 1_000;

/** All that follow `marker`. `read` answers at most PAGE_EVENTS_MAX of those that follow the event it is given. */
export const readAllEvents = async (
  read: (marker: string | null) => Promise<readonly StackEvent[]>,
  marker: string | null,
): Promise<StackEvent[]> => {
  const all: StackEvent[] = [];
  for (let from = marker; ; ) {
    const page = await read(from);
    all.push(...page);
    const last = page.at(-1)?.id ?? null;
    // A server that takes no marker would send the same page for ever.
    if (page.length < PAGE_EVENTS_MAX || last === from) return all;
    from = last;
  }
};
