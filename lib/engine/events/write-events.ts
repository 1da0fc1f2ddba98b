/** Stores events, and limits how many a stack has and how long they stay. */
import type { StackEvent } from "#lib/model/event.ts";
import { type RetiringPorts, retireLateEvents } from "../stacks/retire-stack.ts";

/** Removing the oldest events reads all of a stack, so it happens this often per cap of events. */
const ROUNDS_PER_CAP = 8;
const ID_DIGITS = 8;

/**
 * Decides by the id, which is a hash. So no counter is needed, and a repeated change decides the
 * same.
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
