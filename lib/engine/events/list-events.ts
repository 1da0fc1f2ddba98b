/** Reads the events of a stack and of the stacks below it. */
import { inParallel, inParallelWhile } from "#lib/convergence/in-parallel.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { nestedStackId } from "#lib/resources/nested/nested-stack.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { findStack, readStacks, type StackIdentity } from "../stacks/find-stack.ts";
import { eventsInOrder, type OwnEvent } from "./events-in-order.ts";

const FILTERS = ["resourceName", "resourceType", "resourceAction", "resourceStatus"] as const;

export interface EventListQuery {
  /** Every given filter must match. One matching value of a filter is enough. */
  readonly filters: Readonly<Record<(typeof FILTERS)[number], readonly string[] | undefined>>;
  readonly marker: string | undefined;
  readonly limit: number | undefined;
  readonly descending: boolean;
  readonly nestedDepth: number;
}

/** Includes deleted stacks, so that a client sees the end of a delete. */
export const listEvents = async (
  ports: Ports,
  identity: StackIdentity,
  query: EventListQuery,
): Promise<{ readonly root: Stack; readonly events: readonly OwnEvent[] }> => {
  const stack = await findStack(ports, identity);
  const { filters, limit, nestedDepth } = query;
  const { tenant, owner } = stack;
  const root = (owner && (await ports.store.getStack(tenant, owner.rootId))) ?? stack;
  if (limit === 0) return { root, events: [] };
  const events =
    nestedDepth === 0
      ? await ownEvents(ports, stack, query)
      : await treeEvents(ports, stack, query);
  const matching = events.filter(({ event }) => matches(event, filters));
  return { root, events: matching.slice(0, limit ?? matching.length) };
};

/**
 * Without a physical id Heat shows the object's future name. For a nested stack that is the stack's
 * name, and clients use it to attach the nested events to the resource.
 */
export const physicalIdOf = (ports: Ports, { stack, event }: OwnEvent): string => {
  if (event.physicalResourceId !== "" || event.resourceId === undefined)
    return event.physicalResourceId;
  const owner = { stackName: stack.name, resourceName: event.resourceName };
  return physicalName(owner, nestedStackId(ports, event.resourceId));
};

const ownEvents = async (
  ports: Ports,
  stack: Stack,
  { descending, marker, limit, filters }: EventListQuery,
): Promise<readonly OwnEvent[]> => {
  const filtered = Object.values(filters).some((values) => values !== undefined);
  const events = await ports.store.listEvents(stack.id, {
    descending,
    ...(marker === undefined ? {} : { marker }),
    // The store's limit applies before the filters, so it is used only without filters.
    ...(limit === undefined || filtered ? {} : { limit }),
  });
  return events.map((event) => ({ stack, event }));
};

const treeEvents = async (
  ports: Ports,
  stack: Stack,
  { descending, marker, nestedDepth, limit, filters }: EventListQuery,
): Promise<readonly OwnEvent[]> => {
  const stacks = await stacksBelow(ports, stack, nestedDepth);
  const from = marker === undefined ? null : await placeOf(ports, stacks, marker);
  const events: OwnEvent[] = [];
  let isBehind = from === null;
  for await (const own of eventsInOrder(ports, stacks, { from, descending, limit })) {
    if (isBehind && matches(own.event, filters)) events.push(own);
    if (events.length === limit) break;
    isBehind ||= own.event.id === marker;
  }
  return events;
};

const placeOf = async (
  { store }: Ports,
  stacks: readonly Stack[],
  eventId: string,
): Promise<number | null> => {
  let place: number | null = null;
  const calls = stacks.map(({ id }) => async (): Promise<void> => {
    place = (await store.orderOfEvent(id, eventId)) ?? place;
  });
  await inParallelWhile(calls, () => place === null);
  return place;
};

const stacksBelow = async (ports: Ports, top: Stack, depth: number): Promise<readonly Stack[]> => {
  const found: Stack[] = [top];
  let level: readonly Stack[] = [top];
  for (let down = 0; down < depth && level.length > 0; down++) {
    level = (await inParallel(level.map((stack) => () => stacksOwnedBy(ports, stack)))).flat();
    found.push(...level);
  }
  return found;
};

/** Found through the rows, tombstones included: a tenant may have thousands of other stacks. */
const stacksOwnedBy = async (ports: Ports, { tenant, id }: Stack): Promise<readonly Stack[]> => {
  const rows = Map.groupBy(await ports.store.listRowOutlines(id), ({ type }) => type);
  const ids: string[] = [];
  for (const [type, ofType] of rows) {
    if (!nestsStack(await ports.resourceTypes.get(type))) continue;
    ids.push(...ofType.map((row) => nestedStackId(ports, row.id)));
  }
  return readStacks(ports.store, tenant, ids);
};

const matches = (event: StackEvent, filters: EventListQuery["filters"]): boolean =>
  FILTERS.every((key) => filters[key]?.includes(event[key]) ?? true);
