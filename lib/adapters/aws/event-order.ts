/**
 * The order of a stack's events. Workers with clocks of their own give them their times. So the
 * versions of the records decide first, and the times only where no version tells the order.
 */
import type { OrderedEvent, StackEvent } from "#lib/model/event.ts";

interface Placed {
  readonly event: StackEvent;
  /** Not before any cause of the event, in milliseconds. */
  readonly order: number;
  /** The position among the events of the same record. */
  readonly nth: number;
}

/**
 * Orders events of one stack. Each record's events keep the order of its versions, and no row's
 * event comes before the beginning of a traversal that the row knew.
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

/** When each traversal began, by its number. */
const beginningsOf = (placed: readonly Placed[]): ReadonlyMap<number, number> => {
  const beginnings = new Map<number, number>();
  for (const { event, order } of placed) {
    const { traversalNumber } = event.change;
    if (isBeginning(event) && !beginnings.has(traversalNumber))
      beginnings.set(traversalNumber, order);
  }
  return beginnings;
};

/** The events of one record. An event is not placed before one of a lower version. */
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

/** In one millisecond a traversal begins first, and its stack ends last. */
const byPlace = (left: Placed, right: Placed): number =>
  left.order - right.order ||
  left.event.change.traversalNumber - right.event.change.traversalNumber ||
  rankOf(left.event) - rankOf(right.event) ||
  left.nth - right.nth;

const rankOf = (event: StackEvent): number => {
  if (!isOfStack(event)) return 1;
  return isBeginning(event) ? 0 : 2;
};
