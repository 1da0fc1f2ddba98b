/**
 * The order of a stack's events. Several workers set their times by different clocks. So the
 * versions of the records decide the order, and the times decide only between events that have no
 * such order.
 */
import type { OrderedEvent, StackEvent } from "#lib/model/event.ts";

interface Placed {
  readonly event: StackEvent;
  readonly order: number;
  readonly nth: number;
}

/**
 * Events of one record keep the order of its versions. An event of a row never precedes the
 * beginning of a traversal that the row knew.
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
