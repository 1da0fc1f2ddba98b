/**
 * Stores events in pages. An event that the stream delivers twice is stored twice and listed once.
 */
import * as z from "zod";
import { INVERSION_MS_MAX, type OrderedEvent, type StackEvent } from "#lib/model/event.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { EventQuery, Events } from "#lib/ports/store.ts";
import { type Clause, expiresAfter, itemExists } from "./conditions.ts";
import { number, orNull, ttlOf, ttlSeconds } from "./items/attributes.ts";
import { countOf, decodePage, encodePage, PAGE_SPAN_MS_MAX, pagesOf } from "./items/event-page.ts";
import { eventPageKey, eventPageName, eventsOf, keyOfEventPage } from "./keys.ts";
import type { Item, Table } from "./table.ts";
import { TTL_ATTRIBUTE } from "./tables.ts";

const PARALLEL_WRITES_MAX = 25;

/**
 * After so many pages in a row that expire already, the older pages were handled by an earlier
 * round. Otherwise each round would read all pages that DynamoDB has not removed yet. A page that
 * was written late and lies behind them stays until its stack is deleted.
 */
const EXPIRING_PAGES_MAX = 50;

const storedTtl = z.object({ [TTL_ATTRIBUTE]: orNull(number) });

const expiresBy = (page: Item, expiresAt: number): boolean => {
  const ttl = storedTtl.parse(page)[TTL_ATTRIBUTE] ?? null;
  return ttl !== null && ttl <= ttlSeconds(expiresAt);
};

const byTime = (left: StackEvent, right: StackEvent): number => left.time - right.time;

export const dynamoEvents = (table: Table, clock: Clock): Events => {
  let written = 0;
  /**
   * Pages with the same first moment keep the order of their writing, as far as clocks agree. The
   * first event's id distinguishes two writers.
   */
  const pageName = (first: StackEvent): string =>
    eventPageName(
      first.time,
      `${String(clock.now()).padStart(15, "0")}#${String(written++).padStart(9, "0")}#${first.id}`,
    );
  const expireAll = async (
    keys: readonly Item[],
    expiresAt: number,
    when: readonly Clause[],
  ): Promise<void> => {
    for (let at = 0; at < keys.length; at += PARALLEL_WRITES_MAX)
      await Promise.all(
        keys
          .slice(at, at + PARALLEL_WRITES_MAX)
          .map((key) => table.update(key, { set: ttlOf(expiresAt) }, when)),
      );
  };

  return {
    putEvents: async (stackId, events) => {
      const names: string[] = [];
      for (const page of pagesOf(events.toSorted(byTime))) {
        const [first] = page;
        if (first === undefined) continue;
        const name = pageName(first);
        await table.put(eventPageKey(stackId, name), encodePage(page), []);
        names.push(name);
      }
      return names;
    },
    expireWritten: (stackId, names, expiresAt) =>
      expireAll(
        names.map((name) => eventPageKey(stackId, name)),
        expiresAt,
        [itemExists("sk"), expiresAfter(expiresAt)],
      ),
    expireEvents: async (stackId, expiresAt, keep) => {
      let newer = 0;
      const going: Item[] = [];
      let expiring = 0;
      // An eventual read may miss recent pages. Those are among the newest, so they would stay
      // anyway.
      const bounded = keep > 0 ? { limit: EXPIRING_PAGES_MAX, eventual: true } : {};
      for await (const item of table.query(eventsOf(stackId), { descending: true, ...bounded })) {
        const expires = expiresBy(item, expiresAt);
        if (newer >= keep && !expires) going.push(item);
        expiring = expires ? expiring + 1 : 0;
        if (keep > 0 && expiring === EXPIRING_PAGES_MAX) break;
        newer += keep === 0 ? 0 : countOf(item);
      }
      await expireAll(going.map(keyOfEventPage), expiresAt, [itemExists("sk")]);
    },
    listEvents: (stackId, query) =>
      collect(inOrder(table, stackId, query.descending ?? false), query),
    orderOfEvent: async (stackId, eventId) => {
      for await (const event of inOrder(table, stackId, true)) {
        if (event.id === eventId) return event.order;
      }
      return null;
    },
  };
};

/**
 * Yields each event once, with causes before effects. Pages overlap in time, and an effect may have
 * an earlier time than its cause. So an event is held back until no later page can precede it.
 */
async function* inOrder(
  table: Table,
  stackId: string,
  descending: boolean,
): AsyncGenerator<OrderedEvent, void, undefined> {
  const held = new Map<string, StackEvent>();
  const seen = new Set<string>();
  let orderedAt: number | null = null;
  for await (const item of table.query(eventsOf(stackId), { descending })) {
    const page = decodePage(item);
    const first = page[0]?.time ?? 0;
    for (const event of page)
      if (!seen.has(event.id) && !held.has(event.id)) held.set(event.id, event);
    orderedAt ??= first;
    if (Math.abs(first - orderedAt) < INVERSION_MS_MAX) continue;
    orderedAt = first;
    const isFinal = ({ time }: StackEvent): boolean =>
      descending
        ? time >= first + PAGE_SPAN_MS_MAX + INVERSION_MS_MAX
        : time < first - INVERSION_MS_MAX;
    for (const event of ordered(held, descending)) {
      if (!isFinal(event)) break;
      seen.add(event.id);
      held.delete(event.id);
      yield event;
    }
  }
  yield* ordered(held, descending);
}

const ordered = (
  held: ReadonlyMap<string, StackEvent>,
  descending: boolean,
): readonly OrderedEvent[] => {
  const ascending = inCausalOrder([...held.values()]);
  return descending ? ascending.toReversed() : ascending;
};

const collect = async (
  events: AsyncGenerator<OrderedEvent, void, undefined>,
  { marker, from, descending = false, limit = Number.POSITIVE_INFINITY, resourceName }: EventQuery,
): Promise<readonly OrderedEvent[]> => {
  let listed: OrderedEvent[] = [];
  let found = marker === undefined;
  if (limit === 0) return [];
  for await (const event of events) {
    if (!found && event.id === marker) {
      found = true;
      listed = [];
      continue;
    }
    const isBefore = from !== undefined && (descending ? event.order > from : event.order < from);
    const wanted = !isBefore && (resourceName ?? event.resourceName) === event.resourceName;
    if (wanted && listed.length < limit) listed.push(event);
    if (found && listed.length === limit) break;
  }
  return listed;
};

interface Placed {
  readonly event: StackEvent;
  readonly order: number;
  readonly nth: number;
}

/**
 * The order of a stack's events. Several workers set their times by different clocks. So the
 * versions of the records decide the order, and the times decide only between events that have no
 * such order. Events of one record keep the order of its versions. An event of a row never precedes
 * the beginning of a traversal that the row knew.
 */
export const inCausalOrder = (events: readonly StackEvent[]): readonly OrderedEvent[] => {
  const byRecord = Map.groupBy(events, ({ change }) => change.recordId);
  const ofStacks = [...byRecord.values()].filter(([first]) => first && isOfStack(first));
  const stackEvents = ofStacks.flatMap((several) => placeInOrder(several, new Map()));
  const beginnings = beginningsOf(stackEvents);
  const rowEvents = [...byRecord.values()]
    .filter(([first]) => first && !isOfStack(first))
    .flatMap((several) => placeInOrder(several, beginnings));
  return [...stackEvents, ...rowEvents]
    .sort(byPlace)
    .map(({ event, order }) => ({ ...event, order }));
};

const isOfStack = ({ change, stackId }: StackEvent): boolean => change.recordId === stackId;

const isBeginning = (event: StackEvent): boolean =>
  isOfStack(event) && event.resourceStatus === "IN_PROGRESS";

const beginningsOf = (placed: readonly Placed[]): ReadonlyMap<number, number> => {
  const beginnings = new Map<number, number>();
  for (const { event, order } of placed) {
    const { traversalNumber } = event.change;
    if (isBeginning(event) && !beginnings.has(traversalNumber))
      beginnings.set(traversalNumber, order);
  }
  return beginnings;
};

const placeInOrder = (
  events: readonly StackEvent[],
  beginnings: ReadonlyMap<number, number>,
): readonly Placed[] => {
  let order = Number.NEGATIVE_INFINITY;
  return events
    .toSorted((left, right) => left.change.version - right.change.version || left.time - right.time)
    .map((event, nth) => {
      const begun = beginnings.get(event.change.traversalNumber) ?? Number.NEGATIVE_INFINITY;
      order = Math.max(order, begun, event.time);
      return { event, order, nth };
    });
};

const byPlace = (left: Placed, right: Placed): number =>
  left.order - right.order ||
  left.event.change.traversalNumber - right.event.change.traversalNumber ||
  rankOf(left.event) - rankOf(right.event) ||
  left.nth - right.nth;

const rankOf = (event: StackEvent): number => {
  if (!isOfStack(event)) return 1;
  return isBeginning(event) ? 0 : 2;
};
