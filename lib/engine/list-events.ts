/** Reading the events of a stack. */
import type { Stack, StackEvent } from "#lib/convergence/model.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { findStack, type StackIdentity } from "./find-stack.ts";

/** Within one filter any value may match, every filter given must. */
export interface EventFilters {
  readonly resourceName?: readonly string[];
  readonly resourceType?: readonly string[];
  readonly resourceAction?: readonly string[];
  readonly resourceStatus?: readonly string[];
}

export interface EventListQuery {
  readonly filters: EventFilters;
  /** Exclusive; an unknown one is ignored. */
  readonly marker?: string;
  readonly limit?: number;
  readonly descending: boolean;
}

export interface EventPage {
  readonly stack: Stack;
  readonly events: readonly StackEvent[];
}

/** Of deleted stacks too: that is how a client sees the end of a delete. */
export const listEvents = async (
  ports: Ports,
  identity: StackIdentity,
  query: EventListQuery,
): Promise<EventPage> => {
  const stack = await findStack(ports, identity);
  const { filters, marker, limit, descending } = query;
  const filtered = Object.values(filters).some((values) => values !== undefined);
  const events = await ports.store.listEvents(stack.id, {
    descending,
    ...(marker === undefined ? {} : { marker }),
    // The store may only cut what nothing is filtered out of afterwards.
    ...(limit === undefined || filtered ? {} : { limit }),
  });
  const matching = events.filter((event) => matches(event, filters));
  return { stack, events: matching.slice(0, limit ?? matching.length) };
};

const holds = (wanted: readonly string[] | undefined, actual: string): boolean =>
  wanted?.includes(actual) ?? true;

const matches = (event: StackEvent, filters: EventFilters): boolean =>
  holds(filters.resourceName, event.resourceName) &&
  holds(filters.resourceType, event.resourceType) &&
  holds(filters.resourceAction, event.resourceAction) &&
  holds(filters.resourceStatus, event.resourceStatus);
