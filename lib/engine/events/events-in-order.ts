/**
 * The events of many stacks in one order, a part at a time. Each round reads some events of each
 * stack, and yields those that no unread event can precede.
 */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { OrderedEvent } from "#lib/model/event.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { EventQuery } from "#lib/ports/store.ts";

export interface OwnEvent {
  readonly stack: Stack;
  readonly event: OrderedEvent;
}

export interface EventRange {
  readonly from: number | null;
  readonly descending: boolean;
  readonly limit: number | undefined;
}

/** The first round reads about this many, however many stacks there are. */
const FIRST_ROUND_EVENTS = 10_000;
/** With fewer, a stack with many events would need too many rounds. */
const EVENTS_OF_STACK_MIN = 10;

interface Reading {
  readonly stack: Stack;
  readonly events: readonly OrderedEvent[];
  readonly size: number | undefined;
  readonly isAtEnd: boolean;
}

export async function* eventsInOrder(
  { store }: Ports,
  stacks: readonly Stack[],
  range: EventRange,
): AsyncGenerator<OwnEvent, void, undefined> {
  const size = firstSize(range.limit, stacks.length);
  let readings: readonly Reading[] = stacks.map((stack) => ({
    stack,
    events: [],
    size,
    isAtEnd: false,
  }));
  do {
    const horizon = horizonOf(readings, range);
    const reads = readings.map((reading) => async () => {
      const isAtHorizon = reading.events.at(-1)?.order === horizon || reading.events.length === 0;
      return reading.isAtEnd || !isAtHorizon ? reading : readOn(store, reading, range);
    });
    readings = await inParallel(reads);
    const [ready, held] = divide(readings, range);
    readings = held;
    yield* inOrder(ready, range);
  } while (readings.some(({ isAtEnd }) => !isAtEnd));
}

const firstSize = (limit: number | undefined, stacks: number): number | undefined => {
  if (limit === undefined) return undefined;
  const share = Math.max(EVENTS_OF_STACK_MIN, Math.ceil(FIRST_ROUND_EVENTS / stacks));
  return Math.min(limit, share);
};

const readOn = async (
  store: Ports["store"],
  { stack, events, size }: Reading,
  { from, descending }: EventRange,
): Promise<Reading> => {
  const last = events.at(-1);
  const query: EventQuery = {
    descending,
    ...(from === null ? {} : { from }),
    ...(last === undefined ? {} : { marker: last.id }),
    ...(size === undefined ? {} : { limit: size }),
  };
  const more = await store.listEvents(stack.id, query);
  return {
    stack,
    events: [...events, ...more],
    size: size && 2 * size,
    isAtEnd: size === undefined || more.length < size,
  };
};

const isBefore = (order: number, other: number, { descending }: EventRange): boolean =>
  descending ? order > other : order < other;

/** The least advanced position of the stacks with unread events. Null if all are read. */
const horizonOf = (readings: readonly Reading[], range: EventRange): number | null =>
  readings.reduce<number | null>((horizon, { events, isAtEnd }) => {
    const order = events.at(-1)?.order;
    if (isAtEnd || order === undefined) return horizon;
    return horizon === null || isBefore(order, horizon, range) ? order : horizon;
  }, null);

/**
 * Events before the horizon are ready: stack by stack, oldest first. At the horizon there may be
 * unread events of the same moment.
 */
const divide = (
  readings: readonly Reading[],
  range: EventRange,
): readonly [readonly OwnEvent[], readonly Reading[]] => {
  const horizon = horizonOf(readings, range);
  const ready: OwnEvent[] = [];
  const held = readings.map((reading) => {
    const { stack, events } = reading;
    const at =
      horizon === null ? -1 : events.findIndex(({ order }) => !isBefore(order, horizon, range));
    const count = at < 0 ? events.length : at;
    const some = events.slice(0, count);
    for (const event of range.descending ? some.toReversed() : some) ready.push({ stack, event });
    return { ...reading, events: events.slice(count) };
  });
  return [ready, held];
};

const inOrder = (ready: readonly OwnEvent[], { descending }: EventRange): readonly OwnEvent[] => {
  const byOrder = ready.toSorted((left, right) => left.event.order - right.event.order);
  const moments = Map.groupBy(byOrder, ({ event }) => event.order);
  const ordered = [...moments.values()].flatMap(inOrderOfCause);
  return descending ? ordered.reverse() : ordered;
};

/**
 * Orders the events of one position. The order within each stack stays. A nested stack begins after
 * its resource and ends before it, so beginnings go from top to bottom and ends go upwards.
 */
const inOrderOfCause = (events: readonly OwnEvent[]): readonly OwnEvent[] => {
  const waiting = [...Map.groupBy(events, ({ stack }) => stack.id).values()];
  const ordered: OwnEvent[] = [];
  while (ordered.length < events.length) {
    const left = waiting.filter(({ length }) => length > 0);
    const begins = left.find(([first]) => first?.event.resourceStatus === "IN_PROGRESS");
    ordered.push(...((begins ?? left.at(-1))?.splice(0, 1) ?? []));
  }
  return ordered;
};
