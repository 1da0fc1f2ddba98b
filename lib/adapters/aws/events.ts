/** Events in pages. An event that the stream delivers twice is stored twice and listed once. */
import * as z from "zod";
import type { StackEvent } from "#lib/model/event.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { EventQuery, Events } from "#lib/ports/store.ts";
import { itemExists } from "./conditions/item-clauses.ts";
import { number, orNull } from "./items/attributes.ts";
import { decodePage, encodePage, PAGE_SPAN_MS_MAX, pagesOf } from "./items/event-page.ts";
import { eventPageKey, eventsOf, keyOfEventPage } from "./keys.ts";
import type { Item, Table } from "./table.ts";
import { TTL_ATTRIBUTE } from "./tables.ts";
import { ttlOf } from "./ttl.ts";

const PARALLEL_WRITES_MAX = 25;

const storedTtl = z.object({ [TTL_ATTRIBUTE]: orNull(number) });

const expiresBy = (page: Item, expiresAt: number): boolean => {
  const ttl = storedTtl.parse(page)[TTL_ATTRIBUTE] ?? null;
  return ttl !== null && ttl <= Math.ceil(expiresAt / 1_000);
};

const byTime = (left: StackEvent, right: StackEvent): number => left.time - right.time;

export const dynamoEvents = (table: Table, clock: Clock): Events => {
  let written = 0;
  /**
   * Pages with the same first moment keep the order of their writing, as far as clocks agree. The
   * first event's id keeps two writers apart.
   */
  const pageName = (first: StackEvent): string =>
    `${String(clock.now()).padStart(15, "0")}#${String(written++).padStart(9, "0")}#${first.id}`;

  return {
    putEvents: async (stackId, events) => {
      for (const page of pagesOf(events.toSorted(byTime))) {
        const [first] = page;
        if (first)
          await table.put(eventPageKey(stackId, first.time, pageName(first)), encodePage(page), []);
      }
    },
    expireEvents: async (stackId, expiresAt, keep) => {
      let newer = 0;
      const going: Item[] = [];
      for await (const item of table.query(eventsOf(stackId), { descending: true })) {
        if (newer >= keep && !expiresBy(item, expiresAt)) going.push(item);
        newer += keep === 0 ? 0 : decodePage(item).length;
      }
      for (let at = 0; at < going.length; at += PARALLEL_WRITES_MAX)
        await Promise.all(
          going
            .slice(at, at + PARALLEL_WRITES_MAX)
            .map((item) =>
              table.update(keyOfEventPage(item), { set: ttlOf(expiresAt) }, [itemExists("sk")]),
            ),
        );
    },
    listEvents: (stackId, query) =>
      collect(inOrder(table, stackId, query.descending ?? false), query),
  };
};

/**
 * Yields each event once, in the order of their times. Pages overlap in time. So an event is held
 * until no later page can contain one that comes before it.
 */
async function* inOrder(
  table: Table,
  stackId: string,
  descending: boolean,
): AsyncGenerator<StackEvent, void, undefined> {
  const seen = new Set<string>();
  let held: StackEvent[] = [];
  for await (const item of table.query(eventsOf(stackId), { descending })) {
    const page = decodePage(item);
    const first = page[0]?.time ?? 0;
    const isFinal = ({ time }: StackEvent): boolean =>
      descending ? time >= first + PAGE_SPAN_MS_MAX : time < first;
    const ready = held.filter(isFinal);
    held = [...held.filter((event) => !isFinal(event)), ...(descending ? page.toReversed() : page)];
    yield* unseen(sorted(ready, descending), seen);
  }
  yield* unseen(sorted(held, descending), seen);
}

const sorted = (events: readonly StackEvent[], descending: boolean): readonly StackEvent[] =>
  events.toSorted((left, right) => (descending ? byTime(right, left) : byTime(left, right)));

function* unseen(events: readonly StackEvent[], seen: Set<string>): Generator<StackEvent> {
  for (const event of events) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    yield event;
  }
}

/** An unknown marker is ignored, so the first events are collected until the marker is found. */
const collect = async (
  events: AsyncGenerator<StackEvent, void, undefined>,
  { marker, limit = Number.POSITIVE_INFINITY, resourceName }: EventQuery,
): Promise<readonly StackEvent[]> => {
  let listed: StackEvent[] = [];
  let found = marker === undefined;
  if (limit === 0) return [];
  for await (const event of events) {
    if (!found && event.id === marker) {
      found = true;
      listed = [];
      continue;
    }
    const wanted = resourceName === undefined || event.resourceName === resourceName;
    if (wanted && listed.length < limit) listed.push(event);
    if (found && listed.length === limit) break;
  }
  return listed;
};
