import { assert } from "#lib/errors.ts";
import type { SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import {
  type RowClause,
  rowClauseHolds,
  type StackClause,
  stackClauseHolds,
} from "#lib/ports/conditions.ts";
import type {
  Arrival,
  ArrivalResult,
  ResourceKey,
  Resources,
  RowChange,
  RowWrite,
  StackChange,
  StackKey,
  Stacks,
  StackWrite,
  UnsettledPage,
} from "#lib/ports/store.ts";

export type KeyPart = string | number;

/** A table of records, as memory and SQLite keep them. Every method is synchronous and atomic. */
export interface Documents<Document, Written = Document> {
  get(...key: readonly KeyPart[]): Document | null;
  list(first: KeyPart): readonly Document[];
  insert(document: Written): boolean;
  /** Replaces a stored record, or merges with it if the table defines how. */
  put(document: Written): void;
  delete(...key: readonly KeyPart[]): void;
}

export type Atomically = <T>(work: () => T) => Promise<T>;

type Written<Document> = (before: Document | null, after: Document) => void;

export const localStackWrites = (
  stacks: Documents<Stack>,
  atomically: Atomically,
  written: Written<Stack>,
): Pick<Stacks, "createStack" | "getStack" | "writeStack"> => ({
  createStack: (stack) =>
    atomically(() => {
      if (!stacks.insert(stack)) return "exists";
      written(null, stack);
      return "created";
    }),
  getStack: async (tenant, id) => stacks.get(tenant, id),
  writeStack: (tenant, id, when, change) =>
    atomically(() => {
      const before = stacks.get(tenant, id);
      const write = decideStackWrite(before, when, change);
      if (write.written) {
        stacks.put(write.stack);
        written(before, write.stack);
      }
      return write;
    }),
});

export const localResources = (
  rows: Documents<Resource>,
  atomically: Atomically,
  written: Written<Resource>,
): Omit<Resources, "listRows" | "listRowsNamed"> => ({
  getResource: async ({ stackId, id }) => rows.get(stackId, id),
  listResources: async (stackId) => rows.list(stackId),
  listRowOutlines: async (stackId) => rows.list(stackId),
  getResources: async (stackId, ids) => ids.flatMap((id) => rows.get(stackId, id) ?? []),
  // These stores keep all rows of a stack together, so they need no mark.
  spreadRows: async () => undefined,
  writeResource: (key, when, change) =>
    atomically(() => {
      const before = rows.get(key.stackId, key.id);
      const write = decideRowWrite(key, before, when, change);
      if (write.written) {
        rows.put(write.row);
        written(before, write.row);
      }
      return write;
    }),
});

/**
 * Decides one conditional write on one record, for the adapters that check conditions themselves
 * (memory, sqlite). The adapter reads the record and stores the result in one atomic step.
 */
export const decideRowWrite = (
  key: ResourceKey,
  row: Resource | null,
  when: readonly RowClause[],
  change: RowChange,
): RowWrite => {
  if (!when.every((clause) => rowClauseHolds(clause, row))) return { written: false, row };
  if (row === null) {
    if (!change.insert) return { written: false, row: null };
    const { insert } = change;
    assert(insert.stackId === key.stackId && insert.id === key.id, `row ${key.id} inserts another`);
    return { written: true, row: { ...insert, version: 1 } };
  }
  const signals = (change.set.signals ?? row.signals) + (change.addSignal ? 1 : 0);
  return {
    written: true,
    row: { ...row, ...change.set, signals, version: row.version + 1 },
  };
};

export const decideStackWrite = (
  stack: Stack | null,
  when: readonly StackClause[],
  change: StackChange,
): StackWrite => {
  if (stack === null || !when.every((clause) => stackClauseHolds(clause, stack)))
    return { written: false, stack };
  return {
    written: true,
    stack: { ...stack, ...change, statusVersion: stack.statusVersion + 1 },
  };
};

/** A second arrival of a predecessor is refused. It changes neither the data nor the expiry. */
export const decideArrival = (
  { traversalId, resourceId, isUpdate, bucket }: SyncPointKey,
  point: SyncPoint | null,
  arrival: Arrival,
): ArrivalResult => {
  if (point?.arrived.includes(arrival.predecessor)) return { accepted: false, syncPoint: point };
  const inline = arrival.data ? { [String(arrival.predecessor)]: arrival.data } : {};
  return {
    accepted: true,
    syncPoint: {
      // The fields are named because the caller's key may be a larger record.
      key: { traversalId, resourceId, isUpdate, bucket },
      stackId: arrival.stackId,
      arrived: [...(point?.arrived ?? []), arrival.predecessor],
      arrivedAt: arrival.at,
      fanIn: arrival.fanIn,
      version: (point?.version ?? 0) + 1,
      inputData: { ...point?.inputData, ...inline },
      expiresAt: arrival.expiresAt,
    },
  };
};

export const unsettledPage = (found: readonly StackKey[], limit: number): UnsettledPage => {
  const stacks = found.slice(0, limit).map(({ tenant, id }) => ({ tenant, id }));
  return { stacks, next: found.length > limit ? (stacks.at(-1) ?? null) : null };
};
