import type { SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { RowPage, UnsettledPage } from "#lib/ports/store.ts";

/** All expiry times are far away, because this search has no expiry. */
export const FAR_MS = 1e15;
/**
 * The time of a record's creation decides nothing but ties between rows of one name, which stay
 * ties here.
 */
export const timeless = (row: Resource): Resource => ({
  ...row,
  createdAt: 0,
  updatedAt: 0,
  signalReason: null,
  signalId: null,
  expiresAt: row.expiresAt === null ? null : FAR_MS,
});
export const timelessStack = (stack: Stack): Stack => ({
  ...stack,
  createdAt: 0,
  updatedAt: stack.updatedAt === null ? null : 0,
  deletedAt: stack.deletedAt === null ? null : 0,
});

/** A page is this small so that other workers write between two pages. */
const ROWS_IN_PAGE = 2;

export const byId = (one: Resource, other: Resource): number => (one.id < other.id ? -1 : 1);

export const rowPage = (rows: readonly Resource[], after: string | null): RowPage => {
  const open = rows.filter(({ id }) => after === null || id > after);
  const page = open.toSorted(byId).slice(0, ROWS_IN_PAGE);
  return { rows: page, next: page.length < open.length ? (page.at(-1)?.id ?? null) : null };
};

export const idNamed = (stacks: readonly (Stack | null)[], name: string | null): string | null =>
  stacks.find((stack) => stack?.name === name)?.id ?? null;

export const unsettled = (stacks: readonly (Stack | null)[]): UnsettledPage => ({
  stacks: stacks.flatMap((stack) =>
    stack === null || stack.settled ? [] : [{ tenant: stack.tenant, id: stack.id }],
  ),
  next: null,
});

export const isPointOf = (key: SyncPointKey) => (point: SyncPoint) =>
  point.key.resourceId === key.resourceId &&
  point.key.isUpdate === key.isUpdate &&
  point.key.traversalId === key.traversalId &&
  point.key.bucket === key.bucket;
