/** Stores events, and bounds how many a stack has and how long they stay. */
import type { StackEvent } from "#lib/model/event.ts";
import { type RetiringPorts, retireLateEvents } from "./retire-stack.ts";

/** Removing the oldest events reads all of a stack, so it is done once in this part of the cap. */
const ROUNDS_PER_CAP = 8;
/** How many hexadecimal digits of an id are read. An id is a hash, so they spread evenly. */
const ID_DIGITS = 8;

/**
 * Which events end with a round, by their ids. So it needs no counter, and a change that comes
 * again decides the same.
 */
const startsRound = ({ id }: StackEvent, eventsPerStackMax: number): boolean => {
  const every = Math.max(Math.floor(eventsPerStackMax / ROUNDS_PER_CAP), 1);
  return Number.parseInt(id.slice(0, ID_DIGITS), 16) % every === 0;
};

export const writeEvents = async (
  ports: RetiringPorts,
  events: readonly StackEvent[],
): Promise<void> => {
  for (const [stackId, ofStack] of Map.groupBy(events, (event) => event.stackId))
    await writeEventsOfStack(ports, stackId, ofStack);
};

const writeEventsOfStack = async (
  ports: RetiringPorts,
  stackId: string,
  events: readonly StackEvent[],
): Promise<void> => {
  const [first] = events;
  if (first === undefined) return;
  const written = await ports.store.putEvents(stackId, events);
  const { eventsPerStackMax } = ports.retention;
  if (events.some((event) => startsRound(event, eventsPerStackMax)))
    await ports.store.expireEvents(stackId, ports.clock.now(), eventsPerStackMax);
  await retireLateEvents(ports, { tenant: first.tenant, stackId, written });
};
