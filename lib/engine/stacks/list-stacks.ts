/** Lists the stacks of a tenant in pages, with Heat's filters. The default is newest first. */

import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type NamedStack, STACKS_READ_MAX } from "#lib/ports/store.ts";
import { isDeleted, isExpired, readStacks } from "./find-stack.ts";

type StackFilter = readonly string[] | undefined;

/** Every given filter must match. One matching value of a filter is enough. */
export interface StackFilters {
  readonly id: StackFilter;
  readonly name: StackFilter;
  readonly status: StackFilter;
  readonly action: StackFilter;
  readonly ownerId: StackFilter;
  readonly username: StackFilter;
  readonly tags: StackFilter;
  readonly tagsAny: StackFilter;
  /** Excludes stacks that have all of these. */
  readonly notTags: StackFilter;
  /** Excludes stacks that have any of these. */
  readonly notTagsAny: StackFilter;
}

export const STACK_SORT_KEYS = ["name", "status", "creation_time", "updated_time"] as const;
export type StackSortKey = (typeof STACK_SORT_KEYS)[number];

export interface StackListQuery {
  readonly filters: StackFilters;
  readonly showDeleted: boolean;
  readonly showNested: boolean;
  readonly marker: string | undefined;
  readonly limit: number | undefined;
  readonly sortKeys: readonly StackSortKey[];
  readonly ascending: boolean;
  /** Counting all stacks costs a read of each. */
  readonly counts: boolean;
}

export interface StackPage {
  readonly stacks: readonly Stack[];
  readonly count: number | null;
}

interface ListingPorts extends Pick<Ports, "clock"> {
  readonly store: Pick<
    Ports["store"],
    "getStackName" | "getStacks" | "listNamedStacks" | "listStacks"
  >;
}

export const listStacks = async (
  ports: ListingPorts,
  tenant: string,
  query: StackListQuery,
): Promise<StackPage> => {
  const { showDeleted, limit, sortKeys, counts, filters } = query;
  if (limit === 0 && !counts) return { stacks: [], count: null };
  const isByAge = sortKeys.length === 0 && !counts && filters.name === undefined;
  if (!showDeleted && limit !== undefined && isByAge) {
    return { stacks: await pageByAge(ports, tenant, query, limit), count: null };
  }
  const stacks = showDeleted
    ? await ports.store.listStacks(tenant)
    : await livingStacks(ports, tenant, query);
  const now = ports.clock.now();
  const matching = stacks.filter((stack) => isListed(stack, query, now));
  const sorted = sortStacks(matching, query);
  const marked = sorted.findIndex(({ id }) => id === query.marker);
  const rest = sorted.slice(marked + 1);
  return { stacks: rest.slice(0, limit ?? rest.length), count: counts ? matching.length : null };
};

const isListed = (stack: Stack, query: StackListQuery, now: number): boolean =>
  !isExpired(stack, now) &&
  (query.showNested || stack.owner === null || query.filters.ownerId !== undefined) &&
  matches(stack, query.filters);

/** The stack names' records have the age, so stacks are read only until the page is full. */
const pageByAge = async (
  ports: ListingPorts,
  tenant: string,
  query: StackListQuery,
  limit: number,
): Promise<readonly Stack[]> => {
  const newest = await idsByAge(ports, tenant);
  const ids = query.ascending ? newest.toReversed() : newest;
  const now = ports.clock.now();
  const page: Stack[] = [];
  const first = query.marker === undefined ? 0 : ids.indexOf(query.marker) + 1;
  for (let at = first; at < ids.length; at += STACKS_READ_MAX) {
    const some = ids.slice(at, at + STACKS_READ_MAX);
    const read = await ports.store.getStacks(tenant, some);
    const byId = new Map(read.map((stack) => [stack.id, stack]));
    for (const id of some) {
      const stack = byId.get(id);
      if (stack && !isDeleted(stack) && isListed(stack, query, now)) page.push(stack);
      if (page.length === limit) return page;
    }
  }
  return page;
};

/** Records of former versions lack the age, so their stacks are read. */
const idsByAge = async ({ store }: ListingPorts, tenant: string): Promise<readonly string[]> => {
  const named = await store.listNamedStacks(tenant);
  const unknown = named.flatMap(({ id, createdAt }) => (createdAt === null ? [id] : []));
  const read = await readStacks(store, tenant, unknown);
  const ages = new Map(read.map(({ id, createdAt }) => [id, createdAt]));
  const age = ({ id, createdAt }: NamedStack): number => createdAt ?? ages.get(id) ?? 0;
  return named.toSorted((left, right) => age(right) - age(left)).map(({ id }) => id);
};

/**
 * Every stack has its name before it exists, and loses it when it is retired. So reading by names
 * finds all living stacks, and skips thousands of deleted ones.
 */
const livingStacks = async (
  { store }: ListingPorts,
  tenant: string,
  { filters: { name: names } }: StackListQuery,
): Promise<readonly Stack[]> => {
  const ids =
    names === undefined
      ? (await store.listNamedStacks(tenant)).map(({ id }) => id)
      : await inParallel([...new Set(names)].map((name) => () => store.getStackName(tenant, name)));
  const found = await readStacks(
    store,
    tenant,
    ids.filter((id) => id !== null),
  );
  return found
    .filter((stack) => !isDeleted(stack))
    .toSorted((left, right) => right.createdAt - left.createdAt);
};

const holds = (wanted: StackFilter, actual: readonly string[]): boolean =>
  wanted === undefined || wanted.some((value) => actual.includes(value));

const matches = (stack: Stack, filters: StackFilters): boolean =>
  holds(filters.id, [stack.id]) &&
  holds(filters.name, [stack.name]) &&
  holds(filters.status, [stack.status, `${stack.action}_${stack.status}`]) &&
  holds(filters.action, [stack.action]) &&
  holds(filters.ownerId, stack.owner === null ? [] : [stack.owner.stackId]) &&
  holds(filters.username, []) &&
  (filters.tags ?? []).every((tag) => stack.tags.includes(tag)) &&
  holds(filters.tagsAny, stack.tags) &&
  !(filters.notTags?.every((tag) => stack.tags.includes(tag)) ?? false) &&
  !(filters.notTagsAny?.some((tag) => stack.tags.includes(tag)) ?? false);

const SORTED_BY: Readonly<Record<StackSortKey, (stack: Stack) => string | number>> = {
  name: ({ name }) => name,
  status: ({ status }) => status,
  creation_time: ({ createdAt }) => createdAt,
  updated_time: ({ updatedAt }) => updatedAt ?? 0,
};

const sortStacks = (stacks: readonly Stack[], query: StackListQuery): readonly Stack[] => {
  const { sortKeys, ascending } = query;
  if (sortKeys.length === 0) return ascending ? stacks.toReversed() : stacks;
  const direction = ascending ? 1 : -1;
  return stacks.toSorted((left, right) => {
    for (const key of sortKeys) {
      const [a, b] = [SORTED_BY[key](left), SORTED_BY[key](right)];
      if (a !== b) return a < b ? -direction : direction;
    }
    return 0;
  });
};
