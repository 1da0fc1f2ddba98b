/**
 * Decides one conditional write on one record, for the adapters that check conditions themselves
 * (memory, sqlite). The adapter reads the record and stores the result in one atomic step.
 */
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
  RowChange,
  RowWrite,
  StackChange,
  StackWrite,
} from "#lib/ports/store.ts";

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
