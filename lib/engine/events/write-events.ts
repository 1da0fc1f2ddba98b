/** Stores events, and limits how many a stack has and how long they stay. */
import { present } from "#lib/errors.ts";
import type { StackEvent } from "#lib/model/event.ts";
import { type RetiringPorts, retireStack } from "../stacks/retire-stack.ts";

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
  const { store, clock, retention } = ports;
  const { eventsPerStackMax } = retention;
  for (const [stackId, ofStack] of Map.groupBy(events, (event) => event.stackId)) {
    const { tenant } = present(ofStack[0], `the first event of the stack ${stackId}`);
    const written = await store.putEvents(stackId, ofStack);
    if (ofStack.some((event) => startsRound(event, eventsPerStackMax)))
      await store.expireEvents(stackId, clock.now(), eventsPerStackMax);
    await retireLateEvents(ports, { tenant, stackId }, written);
  }
};

/**
 * An event may be written after its stack was retired. Either the retirement has seen the event, or
 * this call sees the deleted stack. A large stack's events may come in thousands of calls, so each
 * call expires only its own.
 */
const retireLateEvents = async (
  ports: RetiringPorts,
  { tenant, stackId }: Pick<StackEvent, "tenant" | "stackId">,
  written: readonly string[],
): Promise<void> => {
  const stack = await ports.store.getStack(tenant, stackId);
  if (stack !== null && stack.expiresAt === null) await retireStack(ports, stack);
  else await ports.store.expireWritten(stackId, written, stack?.expiresAt ?? ports.clock.now());
};
