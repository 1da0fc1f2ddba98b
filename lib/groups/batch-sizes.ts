/**
 * How Heat divides a rolling change into batches: the size of the group after each batch, and how
 * many members get the new definition in it.
 */
import { assert } from "#lib/errors.ts";

export interface BatchSize {
  readonly size: number;
  readonly changes: number;
}

export interface RollPolicy {
  readonly maxBatchSize: number;
  readonly minInService: number;
}

export type RollKind = "group" | "scaling";

export const batchSizes = (
  kind: RollKind,
  { maxBatchSize, minInService }: RollPolicy,
  target: number,
  current: number,
): readonly BatchSize[] => {
  assert(maxBatchSize >= 1, `a batch of ${maxBatchSize} members changes nothing`);
  const batches: BatchSize[] = [];
  let capacity = current;
  let updated = 0;
  while (updated < capacity || capacity !== target) {
    const kept = Math.min(minInService, target, capacity);
    const changes = Math.min(maxBatchSize, Math.max(target - updated, 0));
    const size = changes + Math.max(Math.min(capacity, target - changes), kept);
    batches.push({ size, changes });
    // The surplus of a ResourceGroup goes at the end, and that of a scaling group stays.
    const surplus = kind === "group" ? Math.max(size - Math.max(capacity, target), 0) : 0;
    updated += changes - surplus;
    capacity = size;
  }
  return batches;
};
